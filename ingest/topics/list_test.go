package topics

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestReadList(t *testing.T) {
	const text = "\xef\xbb\xbf<topic>\r\n" +
		"<num>PAC-1</num>\r\n" +
		"<narr>Find patents of Smith & Sons <that> invalidate EP1 < EP2.</narr>\r\n" +
		"<file>PAC-1_EP-0000001-A2.xml</tfile>\r\n" + // the organisers' own mismatch
		"</topic>\r\n" + `
<topic><num> PAC-2 </num><file>files\b.xml</file></topic>
<TOPIC>
<NUM>PAC-3
<FILE>c.xml
<topic>
<num>PAC-4</num>
</topic>
<topic>
<file>e.xml</file>
</topic>
<topic>
<num>PAC-1</num>
<file>again.xml</file>`
	entries, dead, err := readList(strings.NewReader(text), "PAC_topics.xml")
	if err != nil {
		t.Fatal(err)
	}
	wantEntries := []entry{
		{"PAC-1", "PAC-1_EP-0000001-A2.xml", 1}, {"PAC-2", "files/b.xml", 7}, {"PAC-3", "c.xml", 8},
	}
	if diff := cmp.Diff(wantEntries, entries, cmp.AllowUnexported(entry{})); diff != "" {
		t.Error(diff)
	}
	wantDead := []Dead{
		{"PAC-4", "PAC_topics.xml", 11, "the topic has no <file>"},
		{"", "PAC_topics.xml", 14, "the topic has no <num>"},
		{"PAC-1", "PAC_topics.xml", 17, "the topic stands on line 1 already"},
	}
	if diff := cmp.Diff(wantDead, dead); diff != "" {
		t.Error(diff)
	}
}

func TestIsList(t *testing.T) {
	for head, want := range map[string]bool{
		"<topic>\n<num>": true, "<?xml version='1.0'?>\n<topics>\n <Topic >\n": true,
		"<patent-document ucid='EP-1-A1'><p>&lt;topic></p><topic>": false, "PAC-1 0 EP-1-A1 1": false, "": false,
		"<ep-patent-document id='x'><topic>": false,
	} {
		if isList([]byte(head)) != want {
			t.Errorf("%q: %v", head, !want)
		}
	}
}

func TestLocate(t *testing.T) {
	source := fstest.MapFS{"top/a.xml": {}, "top/files/b.xml": {}, "top/sub/c.xml": {}, "top/files/d.xml/x": {}}
	for file, want := range map[string]string{
		"a.xml": "top/a.xml", "b.xml": "top/files/b.xml", "files/b.xml": "top/files/b.xml", "other/b.xml": "top/files/b.xml",
		"sub/c.xml": "top/sub/c.xml", "missing.xml": "", "../../etc/passwd": "", "/a.xml": "top/a.xml", "files/d.xml": "",
	} {
		got, err := locate(source, "top", file)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
}

func FuzzReadList(f *testing.F) {
	f.Add("<topic>\n<num>PAC-1</num>\n<file>a.xml</tfile>\n</topic>")
	f.Fuzz(func(t *testing.T, text string) {
		entries, _, err := readList(strings.NewReader(text), "list")
		seen := map[string]bool{}
		for _, e := range entries {
			if err != nil || e.id == "" || e.file == "" || e.line < 1 || seen[e.id] {
				t.Errorf("entry %+v, error %v", e, err)
			}
			seen[e.id] = true
		}
	})
}
