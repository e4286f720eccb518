package patentxml

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"dssdnet/schemas"
)

// FuzzParse: no input panics, both tokenizers agree on it, and a row holds valid UTF-8 and collapsed white space.
func FuzzParse(f *testing.F) {
	for _, xml := range fixtures {
		f.Add([]byte(xml), false)
		f.Add([]byte(xml[:len(xml)*2/3]), true)
	}
	f.Add([]byte(syntheticPatent(1, 6<<10)), false)
	f.Fuzz(func(t *testing.T, raw []byte, cut bool) {
		cutFrom := int64(0)
		if cut {
			cutFrom = int64(len(raw)) + 1
		}
		row, rejection := bothWays(t, "input", raw, cutFrom)
		if rejection != nil {
			if rejection.Reason == "" || rejection.Message == "" || !utf8.ValidString(rejection.Message+rejection.Excerpt) || len(rejection.Excerpt) > excerptBytes {
				t.Fatalf("%+v", rejection)
			}
			return
		}
		everyString(reflect.ValueOf(row).Elem(), func(s string) {
			if !utf8.ValidString(s) {
				t.Errorf("invalid UTF-8: %q", s)
			}
		})
		for column, words := range wordsOf(row) {
			text := strings.Join(words, " ")
			if got := strings.ReplaceAll(textOf(row, column), "\n", " "); got != text {
				t.Errorf("%s: white space in %q", column, got)
			}
		}
		if row.UCID == "" || row.PatentID == "" || row.Country == "" || row.Truncated != cut {
			t.Errorf("%+v", row)
		}
	})
}

func textOf(row any, column string) string {
	text := ""
	v := reflect.ValueOf(row).Elem()
	s, lang, _ := strings.Cut(column, " ")
	field := v.FieldByName(strings.ToUpper(s[:1]) + s[1:] + strings.ToUpper(lang))
	if field.IsValid() {
		return field.String()
	}
	others := v.FieldByName("OtherTexts")
	for i := range others.Len() {
		if o := others.Index(i); o.FieldByName("Section").String() == s && o.FieldByName("Lang").String() == lang {
			text = o.FieldByName("Text").String() // wordsOf keeps the last
		}
	}
	return text
}

func everyString(v reflect.Value, f func(string)) {
	switch v.Kind() {
	case reflect.String:
		f(v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			everyString(v.Field(i), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			everyString(v.Index(i), f)
		}
	}
}

// FuzzCutter: the pieces cover the stream but for white space between them, whatever the sizes of the reads; a cap keeps
// a beginning of each.
func FuzzCutter(f *testing.F) {
	for i, xml := range fixtures {
		f.Add([]byte(xml+"\n"+fixtures[(i+1)%len(fixtures)]), uint16(40*i))
	}
	f.Add([]byte("\xef\xbb\xbf<?xml version='1.0'?><a/>\n\xef\xbb\xbf<?xml ?><patent-document ucid='EP-1-A1'>\n<!DOCTYPE b [ ]><b/>junk"), uint16(9))
	f.Add([]byte("\xff\xfe<\x00a\x00/\x00>\x00"), uint16(5))
	f.Fuzz(func(t *testing.T, stream []byte, maxDocument uint16) {
		whole := cutAll(t, bytes.NewReader(stream), 1<<20)
		at := int64(0)
		for _, p := range whole {
			if gap := stream[at:p.Start]; !isBlank(gap) {
				t.Fatalf("%q is in no piece", gap)
			}
			if p.End <= p.Start || p.Cut || p.Bytes != string(stream[p.Start:p.End]) {
				t.Fatalf("piece %+v", p)
			}
			at = p.End
		}
		if rest := stream[at:]; !isBlank(rest) {
			t.Fatalf("%q is in no piece", rest)
		}
		if got := fmt.Sprint(cutAll(t, iotest.OneByteReader(bytes.NewReader(stream)), 1<<20)); got != fmt.Sprint(whole) {
			t.Fatalf("byte by byte\n%v\nat once\n%v", got, whole)
		}
		capped := cutAll(t, iotest.HalfReader(bytes.NewReader(stream)), int64(maxDocument))
		if len(capped) != len(whole) {
			t.Fatalf("%d pieces with a cap, %d without", len(capped), len(whole))
		}
		for i, p := range capped {
			w := whole[i]
			if p.Start != w.Start || p.End != w.End || p.Root != w.Root || !strings.HasPrefix(w.Bytes, p.Bytes) ||
				p.Cut != (w.End-w.Start > max(int64(maxDocument), 1)) || len(p.Bytes) > max(int(maxDocument), 1) || !p.Cut && p.Bytes != w.Bytes {
				t.Fatalf("with a cap of %d: %+v\nwithout: %+v", maxDocument, p, w)
			}
		}
	})
}

var ucidForm = regexp.MustCompile(`^[A-Z]{2}-[A-Z0-9]+(-[A-Z][0-9]?)?$`)

// FuzzCitedUCID: what is read is a ucid, and its own parts read as itself.
func FuzzCitedUCID(f *testing.F) {
	for _, c := range [][3]string{{"US", "2007/0204872", "A1"}, {"WO", "WO 89/02682", "A1"}, {"WO", "0020705", "A"}, {"EP", "0 906 947", "A1"},
		{"JP", "2007-88222", "A"}, {"US", "11/123,456", ""}, {"US", "R E36 154", "E"}, {"KR", "10-2004-0032451", ""}, {"unknown", "?", "?"}} {
		f.Add(c[0], c[1], c[2])
	}
	f.Fuzz(func(t *testing.T, country, number, kind string) {
		ucid := citedUCID(country, number, kind)
		if ucid == "" {
			return
		}
		if !ucidForm.MatchString(ucid) {
			t.Fatalf("%q %q %q became %q", country, number, kind, ucid)
		}
		id, err := schemas.ParseUCID(ucid)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(ucid, "-")
		if again := citedUCID(parts[0], parts[1], id.Kind); again != ucid {
			t.Fatalf("%q %q %q became %q and that %q", country, number, kind, ucid, again)
		}
	})
}

var symbolForm = regexp.MustCompile(`^[A-Z]\d\d[A-Z]( [1-9]\d{0,3}/\d{2,6})?$`)

// FuzzIPC: what is read has the normal form, and the normal form reads as itself.
func FuzzIPC(f *testing.F) {
	for _, code := range []string{"A61K  31/00        20060101AFI20051008RMEP        ", "2C 07D 307/12 A", "C 07D 4 3/02", "A47L 700", "A61F  537",
		"K63B21:055", "C07C  51/373+59/147", "A61K2039/00", "A61K", "A61F  BAD", "Int.Cl.", "", "Y02E  10/50        20130101 LA20220315BHEP"} {
		f.Add([]byte(code))
	}
	names := newInterner()
	f.Fuzz(func(t *testing.T, code []byte) {
		sym, _, ok := parseSymbol(code)
		c, readable := parseClassification(code, ipcSections, names)
		if readable && c.Symbol != sym.text {
			t.Fatalf("%q is %q and %q", code, c.Symbol, sym.text)
		}
		if !ok {
			return
		}
		if !symbolForm.MatchString(sym.text) {
			t.Fatalf("%q became %q", code, sym.text)
		}
		again, rest, ok := parseSymbol([]byte(sym.text))
		if !ok || again.text != sym.text || len(rest) > 0 {
			t.Fatalf("%q became %q and that %q", code, sym.text, again.text)
		}
	})
}
