package patentxml

import (
	"errors"
	"strings"
	"testing"

	"dssdnet/schemas"
)

// patent wraps content into the root of a small EP document.
func patent(content string) string {
	return `<patent-document ucid="EP-1000001-A1" country="EP" doc-number="1000001" kind="A1" lang="EN" date="20000517">` +
		content + `</patent-document>`
}

// described is a document whose English description is content.
func described(content string) string {
	return patent(`<description lang="EN">` + content + `</description>`)
}

// technical is a document with content as its technical-data.
func technical(content string) string {
	return patent(`<bibliographic-data><technical-data>` + content + `</technical-data></bibliographic-data>`)
}

// parse reads a document that must give a row.
func parse(t *testing.T, xml string) *schemas.Document {
	t.Helper()
	row, err := NewParser(Limits{}).Parse([]byte(xml), 0)
	if err != nil {
		t.Fatalf("%v\nin %.300q", err, xml)
	}
	return row
}

// reject reads a document that must give none.
func reject(t *testing.T, xml, reason string) Rejection {
	t.Helper()
	row, err := NewParser(Limits{}).Parse([]byte(xml), 0)
	var r *Rejection
	if !errors.As(err, &r) {
		t.Fatalf("want a rejection %s, got %v %v\nin %.300q", reason, row, err, xml)
	}
	if r.Reason != reason {
		t.Fatalf("reason %s (%v), want %s\nin %.300q", r.Reason, r, reason, xml)
	}
	if r.Message == "" {
		t.Fatalf("a rejection without a message: %+v", r)
	}
	return *r
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func hasWarning(t *testing.T, row *schemas.Document, part string) {
	t.Helper()
	for _, w := range row.Warnings {
		if strings.Contains(w, part) {
			return
		}
	}
	t.Errorf("no warning with %q in %q", part, row.Warnings)
}

func noWarnings(t *testing.T, row *schemas.Document) {
	t.Helper()
	if len(row.Warnings) > 0 {
		t.Errorf("warnings: %q", row.Warnings)
	}
}
