package synth

import (
	"archive/tar"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// untar reads a .tar.gz with the standard library.
func untar(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	members := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return members
		}
		if err != nil {
			t.Fatal(err)
		}
		if members[header.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// xmlDocument is what a reader of the standard library finds in a document.
type xmlDocument struct {
	UCID     string   `xml:"ucid,attr"`
	Lang     string   `xml:"lang,attr"`
	Kind     string   `xml:"kind,attr"`
	Family   string   `xml:"family-id,attr"`
	Date     string   `xml:"date,attr"`
	Filed    string   `xml:"bibliographic-data>application-reference>document-id>date"`
	Priority string   `xml:"bibliographic-data>priority-claims>priority-claim>document-id>date"`
	Symbols  []string `xml:"bibliographic-data>technical-data>classifications-ipcr>classification-ipcr"`
	Titles   []struct {
		Lang string `xml:"lang,attr"`
		Text string `xml:",chardata"`
	} `xml:"bibliographic-data>technical-data>invention-title"`
	Citations []struct {
		UCID    string `xml:"ucid,attr"`
		Sources []struct {
			Category string `xml:"category,attr"`
		} `xml:"sources>source"`
	} `xml:"bibliographic-data>technical-data>citations>patent-citations>patcit"`
	Abstract    []string `xml:"abstract>p"`
	Description []string `xml:"description>p"`
	Claims      []struct {
		Lang  string   `xml:"lang,attr"`
		Texts []string `xml:"claim>claim-text"`
	} `xml:"claims"`
}

func readXML(t *testing.T, content []byte) xmlDocument {
	t.Helper()
	var d xmlDocument
	if err := xml.Unmarshal(content, &d); err != nil {
		t.Fatalf("%v in %.300s", err, content)
	}
	return d
}

// eachFile calls do for the files of the first patents.
func eachFile(a *author, patents int, do func(p *patent, d document, files []file, h hazard)) {
	b := batch{first: 1, last: a.last}
	for n := 1; n <= patents; n++ {
		a.begin(a.patent(n))
		for _, d := range a.documents {
			if b.contains(d) {
				files, h := a.files(d)
				do(&a.p, d, files, h)
			}
		}
	}
}

// TestCollectionIsWellFormed reads every document of a clean collection with the standard library and checks what
// must hold for each.
func TestCollectionIsWellFormed(t *testing.T) {
	a := author{universe: testUniverse(3, 1500)}
	eachFile(&a, 1500, func(p *patent, d document, files []file, h hazard) {
		x := readXML(t, files[0].content)
		if x.UCID != ucid(p.n, d.kind) || x.Kind != d.kind || x.Lang != languageList[p.lang].code {
			t.Fatalf("%s: root says %s %s %s", ucid(p.n, d.kind), x.UCID, x.Kind, x.Lang)
		}
		if len(x.Titles) != languages {
			t.Errorf("%s has %d titles", x.UCID, len(x.Titles))
		}
		for _, row := range x.Symbols {
			if len(row) != 50 || row[8] != '/' || row[27] != 'A' && row[27] != 'C' {
				t.Errorf("%s: %q is not in the columns of ST.8", x.UCID, row)
			}
		}
		if (len(x.Symbols) == 0) != p.unclassified {
			t.Errorf("%s: %d symbols, unclassified %v", x.UCID, len(x.Symbols), p.unclassified)
		}
		if granted(d) {
			var langs []string
			for _, c := range x.Claims {
				langs = append(langs, c.Lang)
			}
			if strings.Join(langs, " ") != "DE EN FR" || len(x.Abstract) > 0 || len(x.Description) == 0 {
				t.Errorf("%s: claims in %v, %d abstract paragraphs", x.UCID, langs, len(x.Abstract))
			}
		}
		if d.kind == "A3" && len(x.Abstract)+len(x.Description)+len(x.Claims) > 0 {
			t.Errorf("%s has texts", x.UCID)
		}
	})
}

// TestDatesAreInOrder checks priority <= filing < publication <= grant, and that what is cited came out before.
func TestDatesAreInOrder(t *testing.T) {
	a := author{universe: testUniverse(3, 3000)}
	published := map[string]string{}
	divisions := 0
	eachFile(&a, 3000, func(p *patent, d document, files []file, h hazard) {
		x := readXML(t, files[0].content)
		if d.ordinal == 0 {
			published[patentID(p.n)] = x.Date
			if p.root != p.n {
				divisions++
			}
		}
		priority := x.Priority
		if priority == "" {
			priority = x.Filed
		}
		if priority > x.Filed || x.Filed >= x.Date || x.Date < published[patentID(p.n)] {
			t.Errorf("%s: priority %s, filed %s, published %s", x.UCID, priority, x.Filed, x.Date)
		}
		for _, c := range x.Citations {
			if !strings.HasPrefix(c.UCID, "EP-") {
				continue
			}
			cited, ok := published[c.UCID[:len("EP-0000000")]]
			if !ok || cited >= priority {
				t.Errorf("%s of priority %s cites %s of %s", x.UCID, priority, c.UCID, cited)
			}
		}
	})
	if divisions < 30 {
		t.Errorf("%d divisions among 3000 patents", divisions)
	}
}
