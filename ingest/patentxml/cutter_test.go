package patentxml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// cutPiece is a Piece that outlives the next call of Next.
type cutPiece struct {
	Root, PatentID, Bytes string
	Start, End            int64
	Cut                   bool
}

func cutAll(t testing.TB, r io.Reader, maxDocument int64) []cutPiece {
	t.Helper()
	var all []cutPiece
	for c := NewCutter(r, maxDocument); ; {
		p, err := c.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cutPiece{p.Root, p.PatentID, string(p.Bytes), p.Start, p.End, p.Cut})
	}
}

func TestCutter(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	const decl = `<?xml version="1.0"?>`
	for _, c := range []struct {
		name, stream string
		want         []string // root, patent id and bytes of each piece, joined by '|'
	}{
		{"nothing", " \n", nil},
		{"one document", decl + "\n<a>1</a>\n", []string{"a||" + decl + "\n<a>1</a>"}},
		{"declarations and doctypes", decl + "\n<!DOCTYPE a SYSTEM \"x\" [ <!ENTITY e \"]>\"> ]>\n<a>1</a>\n" + decl + "\n<a/>",
			[]string{"a||" + decl + "\n<!DOCTYPE a SYSTEM \"x\" [ <!ENTITY e \"]>\"> ]>\n<a>1</a>", "a||" + decl + "\n<a/>"}},
		{"byte order mark before the second", "<a/>" + bom + decl + "<b/>", []string{"a||<a/>", "b||" + bom + decl + "<b/>"}},
		{"neither declaration nor line ends", `<a x=">"/><b></b ><c><c></c></c>`, []string{`a||<a x=">"/>`, "b||<b></b >", "c||<c><c></c></c>"}},
		{"names that begin alike", "<a><ab/><a-b></a-b></a>", []string{"a||<a><ab/><a-b></a-b></a>"}},
		{"hidden boundaries", "<a><![CDATA[</a><?xml version='1.0'?>]]><!-- </a> <?xml --><?pi </a>?></a>",
			[]string{"a||<a><![CDATA[</a><?xml version='1.0'?>]]><!-- </a> <?xml --><?pi </a>?></a>"}},
		{"comments and instructions between", "<!-- 0 -->\n<a/>\n<!-- 1 -->\n<?p i?>\n<b/> <!-- 2 -->\n",
			[]string{"a||<!-- 0 -->\n<a/>\n<!-- 1 -->\n<?p i?>", "b||<b/> <!-- 2 -->"}},
		{"never closed, then a declaration", "<a><p>tex" + decl + "<b/>", []string{"a||<a><p>tex", "b||" + decl + "<b/>"}},
		{"never closed, then a mark and a declaration", "<a><p>\n" + bom + decl + "<b/>", []string{"a||<a><p>\n", "b||" + bom + decl + "<b/>"}},
		{"never closed, then a doctype", "<a><p>\n<!DOCTYPE b><b/>", []string{"a||<a><p>\n", "b||<!DOCTYPE b><b/>"}},
		{"never closed, then a patent", `<patent-document ucid="EP-1-A1"><p><patent-document ucid='US-08-B2'/>`,
			[]string{`patent-document|EP-0000001|<patent-document ucid="EP-1-A1"><p>`, "patent-document|US-8|<patent-document ucid='US-08-B2'/>"}},
		{"patents in a wrapper", `<all>` + `<patent-document ucid="EP-1-A1"/>` + `</all>`,
			[]string{"all||<all>", `patent-document|EP-0000001|<patent-document ucid="EP-1-A1"/>`, "||</all>"}},
		{"text between", "zero <a/> one <b/>two", []string{"||zero ", "a||<a/>", "||one ", "b||<b/>", "||two"}},
		{"only text", "a < b & c", []string{"||a < b & c"}},
		{"a header without a document", decl + decl + "<a/>", []string{"||" + decl, "a||" + decl + "<a/>"}},
		{"no ucid, odd ucid", `<patent-document/><patent-document ucid="?"/><patent-document ucid="EP-1-A1" x=y/>`,
			[]string{"patent-document||<patent-document/>", `patent-document||<patent-document ucid="?"/>`, `patent-document||<patent-document ucid="EP-1-A1" x=y/>`}},
		{"an EP publication", `<ep-patent-document id="EP99123456A1" country="EP" doc-number="50001" kind="A1"/>`,
			[]string{`ep-patent-document|EP-0050001|<ep-patent-document id="EP99123456A1" country="EP" doc-number="50001" kind="A1"/>`}},
		{"an EP publication without attributes", `<ep-patent-document><SDOBI><B100><B110>7</B110><B190>EP</B190></B100></SDOBI></ep-patent-document>`,
			[]string{`ep-patent-document|EP-0000007|<ep-patent-document><SDOBI><B100><B110>7</B110><B190>EP</B190></B100></SDOBI></ep-patent-document>`}},
		{"a weekly file", decl + "\n<!DOCTYPE us-patent-grant SYSTEM \"x.dtd\" [ ]>\n" + usGrant("D0700000", "S1", "", "") + "\n" + decl + "\n<!DOCTYPE sequence-cwu SYSTEM \"y.dtd\" [ ]>\n<sequence-cwu id=\"S\"><publication-reference><document-id><country>US</country><doc-number>08926509</doc-number></document-id></publication-reference></sequence-cwu>\n" +
			decl + "\n<!DOCTYPE us-patent-grant SYSTEM \"x.dtd\" [ ]>\n" + usGrant("08926509", "B2", "<p>raw & here</p>", "") + "\n",
			[]string{"us-patent-grant|US-D700000|" + decl + "\n<!DOCTYPE us-patent-grant SYSTEM \"x.dtd\" [ ]>\n" + usGrant("D0700000", "S1", "", ""),
				"sequence-cwu||" + decl + "\n<!DOCTYPE sequence-cwu SYSTEM \"y.dtd\" [ ]>\n<sequence-cwu id=\"S\"><publication-reference><document-id><country>US</country><doc-number>08926509</doc-number></document-id></publication-reference></sequence-cwu>",
				"us-patent-grant|US-8926509|" + decl + "\n<!DOCTYPE us-patent-grant SYSTEM \"x.dtd\" [ ]>\n" + usGrant("08926509", "B2", "<p>raw & here</p>", "")}},
		{"unclosed constructs", "<a/><b><!-- x", []string{"a||<a/>", "b||<b><!-- x"}},
		{"a stylesheet is no declaration", "<a><?xml-stylesheet x?></a>", []string{"a||<a><?xml-stylesheet x?></a>"}},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.stream), "byte by byte": iotest.OneByteReader(strings.NewReader(c.stream)),
			"data with EOF": iotest.DataErrReader(strings.NewReader(c.stream)),
		} {
			var got []string
			for _, p := range cutAll(t, r, 1<<20) {
				got = append(got, p.Root+"|"+p.PatentID+"|"+p.Bytes)
				if c.stream[p.Start:p.End] != p.Bytes || p.Cut {
					t.Errorf("%s: bytes %d to %d are not %q", c.name, p.Start, p.End, p.Bytes)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, %s:\n%s", c.name, name, diff)
			}
		}
	}
}

func TestCutterUTF16IsOneDocument(t *testing.T) {
	var file []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + `<?xml version="1.0"?><patent-document ucid="EP-1-A1">` + strings.Repeat("ü", 100) + `</patent-document>`)) {
		file = append(file, byte(u), byte(u>>8))
	}
	pieces := cutAll(t, bytes.NewReader(file), 1<<20)
	if len(pieces) != 1 || pieces[0].PatentID != "EP-0000001" || pieces[0].Root != "patent-document" || pieces[0].Bytes != string(file) {
		t.Errorf("%+v", pieces)
	}
	pieces = cutAll(t, bytes.NewReader(file), 151)
	if len(pieces) != 1 || !pieces[0].Cut || pieces[0].End != int64(len(file)) || len(pieces[0].Bytes) != 150 {
		t.Errorf("%+v", pieces)
	}
	row, err := NewParser(Limits{}).Parse([]byte(pieces[0].Bytes), pieces[0].End)
	if err != nil || !row.Truncated {
		t.Errorf("%+v %v", row, err)
	}
}

func TestCutterReaderError(t *testing.T) {
	broken := errors.New("broken archive")
	c := NewCutter(io.MultiReader(strings.NewReader("<a/><b/> <!-- c --> <d>"), iotest.ErrReader(broken)), 1<<20)
	for _, want := range []string{"a", "b"} {
		if p, err := c.Next(); err != nil || p.Root != want {
			t.Fatalf("%+v %v, want %s", p, err, want)
		}
	}
	for range 2 {
		if p, err := c.Next(); !errors.Is(err, broken) {
			t.Fatalf("%+v %v", p, err)
		}
	}
}

// A cut document keeps what its first bytes have whole, wherever the cap falls, and the documents around it are not
// touched.
func TestCutterCutsLongDocuments(t *testing.T) {
	document := `<patent-document ucid="EP-2-A1"><!-- c --><p a="&lt;">some words &amp; more</p><![CDATA[ x ]]></patent-document>`
	stream := `<a/>` + document + "\n" + `<b/>`
	for maxDocument := int64(4); maxDocument < int64(len(document)); maxDocument++ {
		pieces := cutAll(t, strings.NewReader(stream), maxDocument)
		if len(pieces) != 3 || pieces[0].Root != "a" || pieces[2].Root != "b" || pieces[0].Cut || pieces[2].Cut {
			t.Fatalf("cap %d: %+v", maxDocument, pieces)
		}
		p := pieces[1]
		if !p.Cut || p.Start != 4 || p.End != 4+int64(len(document)) || p.PatentID != "EP-0000002" || !strings.HasPrefix(document, p.Bytes) {
			t.Fatalf("cap %d: %+v", maxDocument, p)
		}
		if len(p.Bytes) > len(`<patent-document ucid="EP-2-A1">`) {
			row, err := NewParser(Limits{}).Parse([]byte(p.Bytes), p.End-p.Start)
			if err != nil || !row.Truncated {
				t.Fatalf("cap %d: %q: %v", maxDocument, p.Bytes, err)
			}
		}
	}
}

// long is 200 MB of a repeated text after a prefix.
func long(prefix, text string) io.Reader {
	return io.MultiReader(strings.NewReader(prefix), io.LimitReader(repeated(text), 200_000_000))
}

type repeated string

func (r repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

// 200 MB in one document, comment, tag or without any element need the cap and a few buffers.
func TestCutterMemoryIsBounded(t *testing.T) {
	const maxDocument = 8 << 20
	for name, stream := range map[string]io.Reader{
		"document":    long(`<patent-document ucid="EP-1-A1">`, "<p>some words</p>\n"),
		"comment":     long(`<a><!-- `, "some words -> "),
		"tag":         long(`<a b="`, "some words "),
		"doctype":     long(`<!DOCTYPE a [`, "<!ENTITY x 'y'>"),
		"text":        long("", "some words < than "),
		"white space": long("", "     \n"),
		"UTF-16":      long("\xff\xfe", "a\x00"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		pieces := 0
		for c := NewCutter(stream, maxDocument); ; pieces++ {
			p, err := c.Next()
			if err != nil {
				break
			}
			if !p.Cut || len(p.Bytes) > maxDocument {
				t.Errorf("%s: cut %v, %d bytes", name, p.Cut, len(p.Bytes))
			}
		}
		runtime.ReadMemStats(&after)
		// buffers double while they grow, so that all of them together are below four times the last
		if took := after.TotalAlloc - before.TotalAlloc; took > 4*(maxDocument+maxTagBytes+2*readBytes) {
			t.Errorf("%s: %d MB allocated", name, took>>20)
		}
		if want := map[bool]int{true: 0, false: 1}[name == "white space"]; pieces != want {
			t.Errorf("%s: %d pieces", name, pieces)
		}
	}
}

func BenchmarkCutter(b *testing.B) {
	var stream bytes.Buffer
	for i := range 200 {
		fmt.Fprintf(&stream, "<?xml version=\"1.0\"?>\n%s\n", syntheticPatent(int64(i), 36<<10))
	}
	for name, size := range map[string]int{"concatenated": stream.Len(), "one": stream.Len() / 200} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for c := NewCutter(bytes.NewReader(stream.Bytes()[:size]), 8<<20); ; {
					if _, err := c.Next(); err != nil {
						break
					}
				}
			}
		})
	}
}
