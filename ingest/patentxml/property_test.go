package patentxml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// randomText writes a random section and keeps the words that its text nodes have.
type randomText struct {
	t     *rapid.T
	xml   strings.Builder
	words []string
	open  bool // the last word may go on
}

var (
	inlineNames = []string{"b", "i", "sub", "sup", "figref", "claim-ref", "st32:f", "unheard-of"}
	blockNames  = []string{"p", "heading", "li", "claim-text", "entry", "row", "pre"}
	silent      = []string{"<!-- EPO <DP n=\"38\"/>-->", "<?BRFSUM a?>", "<!-- a -- b -->", "<img file=\"x.tif\"/>", "<copyright>no words</copyright>"}
	blanks      = []string{" ", "\n", "\t", "\r\n", "  \n ", "&#32;", "&#160;", "\u00a0", "\u2003", "&#2;", "<![CDATA[ ]]>"}
	letters     = map[string]string{ // as written and as read
		"a": "a", "Word": "Word", "12": "12", "ü": "ü", "漢": "漢", "𝛼": "𝛼", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": `"`,
		"&#945;": "α", "&#x3b2;": "β", "&agr;": "α", "&minus;": "−", "&nope;": "\ufffd", "&own;": "mine", "<![CDATA[<&]]>": "<&",
		"]": "]", "-": "-", ".": ".", "so\u00ad \nft": "soft", "be&shy;\t<!-- x -->fore": "before", "v\u00ac w": "vw", "\u2028x": "\x00x",
	}
	spellings = func() (list []string) {
		for s := range letters {
			list = append(list, s)
		}
		return list
	}()
)

func (r *randomText) choose(from []string) string { return rapid.SampledFrom(from).Draw(r.t, "choice") }

func (r *randomText) content(depth int) {
	for range rapid.IntRange(0, 8).Draw(r.t, "nodes") {
		switch kind := rapid.IntRange(0, 9).Draw(r.t, "kind"); {
		case kind <= 3:
			r.letter(r.choose(spellings))
		case kind <= 5:
			r.xml.WriteString(r.choose(blanks))
			r.open = false
		case kind == 6:
			r.xml.WriteString(r.choose(silent))
		case kind == 7 && depth < 5:
			r.element(r.choose(inlineNames), depth, false)
		case depth < 5:
			r.element(r.choose(blockNames), depth, true)
		}
	}
}

func (r *randomText) element(name string, depth int, block bool) {
	fmt.Fprintf(&r.xml, "<%s a=\"1\">", name)
	r.open = r.open && !block
	r.content(depth + 1)
	r.open = r.open && !block
	fmt.Fprintf(&r.xml, "</%s >", name)
}

func (r *randomText) letter(spelling string) {
	r.xml.WriteString(spelling)
	read := letters[spelling]
	if strings.HasPrefix(read, "\x00") { // a separator stands in front
		read, r.open = read[1:], false
	}
	switch {
	case r.open:
		r.words[len(r.words)-1] += read
	case read != "":
		r.words = append(r.words, read)
		r.open = true
	}
}

// Text columns hold exactly the words of the document's text nodes, in their order, whatever surrounds them and whichever
// dialect it is. Soft hyphens are tested where a word goes on behind them.
func TestColumnsHoldTheWordsOfTheTextNodes(t *testing.T) {
	for root, wrap := range map[string]func(string) string{
		"patent-document":    patent,
		"ep-patent-document": epPatent,
		"us-patent-grant":    func(content string) string { return usGrant("08926509", "B2", "", content) },
		"us-patent-application": func(content string) string {
			return strings.NewReplacer("us-patent-grant", "us-patent-application", "-data-grant", "-data-application").Replace(usGrant("20210049351", "A1", "", content))
		},
	} {
		t.Run(root, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { columnsHoldTheWords(t, root, wrap) })
		})
	}
}

func columnsHoldTheWords(t *rapid.T, root string, wrap func(content string) string) {
	want := make(map[string][]string)
	var xml strings.Builder
	for _, block := range []struct{ element, key string }{
		{"abstract", "abstract de"}, {"description", "description en"}, {"claims", "claims fr"}, {"abstract", "abstract ja"},
	} {
		r := randomText{t: t}
		r.content(0)
		lang := block.key[len(block.key)-2:]
		fmt.Fprintf(&xml, `<%s lang="%s">%s</%[1]s>`, block.element, strings.ToUpper(lang), r.xml.String())
		if len(r.words) > 0 {
			want[block.key] = r.words
		}
	}
	doc := `<!DOCTYPE ` + root + ` [<!ENTITY own "mine">]>` + wrap(xml.String())
	for _, slowOnly := range []bool{false, true} {
		p := NewParser(Limits{})
		p.slowOnly = slowOnly
		row, rejection := p.parse([]byte(doc), 0)
		if rejection != nil {
			t.Fatalf("%v\n%s", rejection, doc)
		}
		if diff := cmp.Diff(want, wordsOf(row)); diff != "" {
			t.Fatalf("-text nodes +columns (slow only: %v):\n%s\n%s", slowOnly, diff, doc)
		}
	}
}
