package sampler

import (
	"archive/tar"
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// mini is a small collection of real patents, read with encoding/xml: what the sampler needs of it, and no more. Its
// pools are made by a simple ranking, the number of distinct words that title and abstract of topic and patent have in
// common, so that these tests need neither the parser nor the index.
type mini struct {
	patents map[string]schemas.Patent
	tables
}

func loadMini(t *testing.T, dir string, hits int) tables {
	t.Helper()
	m := &mini{patents: map[string]schemas.Patent{}}
	eachMember(t, filepath.Join(dir, "collection.tar.gz"), func(_ string, r io.Reader) {
		d := decodePatent(t, r)
		id, err := schemas.ParseUCID(d.UCID)
		if err != nil {
			t.Fatal(err)
		}
		p := m.patents[id.PatentID()]
		p.PatentID, p.Country, p.FamilyID = id.PatentID(), id.Country, cmp.Or(p.FamilyID, d.FamilyID)
		p.Title, p.Abstract = cmp.Or(p.Title, d.title()), cmp.Or(p.Abstract, d.abstract())
		p.IPCSubclasses = distinct(append(p.IPCSubclasses, d.subclasses()...))
		p.PublicationDate = schemas.ParseDate(d.Date)
		if p.Title+p.Abstract != "" {
			p.TextLang = "en"
		}
		m.patents[p.PatentID] = p
	})
	for _, id := range sortedKeys(m.patents) {
		m.tables.patents = append(m.tables.patents, m.patents[id])
	}
	for _, split := range []string{"train", "valid", "test"} {
		m.loadTopics(t, dir, split)
	}
	m.rank(hits)
	return m.tables
}

func (m *mini) loadTopics(t *testing.T, dir, split string) {
	t.Helper()
	set := "mini-" + split
	eachMember(t, filepath.Join(dir, "topics-"+split+".tar.gz"), func(name string, r io.Reader) {
		if filepath.Ext(name) != ".xml" || filepath.Base(name) == "PAC_topics.xml" {
			return
		}
		d := decodePatent(t, r)
		id, err := schemas.ParseUCID(d.UCID)
		if err != nil {
			t.Fatal(err)
		}
		m.topics = append(m.topics, schemas.Topic{
			TopicID: d.UCID, PatentID: id.PatentID(), UCID: d.UCID, Set: set, Split: split, Lang: "en", Title: d.title(), Abstract: d.abstract(),
			PublicationDate: schemas.ParseDate(d.Date), FamilyID: d.FamilyID, IPCSubclasses: distinct(d.subclasses()),
		})
	})
	f, err := os.Open(filepath.Join(dir, "qrels-"+split+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		m.qrels = append(m.qrels, schemas.Qrel{TopicID: columns[0], PatentID: columns[1], Grade: 1, Set: set})
	}
}

// rank fills the pools.
func (m *mini) rank(hits int) {
	postings := map[string][]int{}
	for i, p := range m.tables.patents {
		for _, word := range distinctWords(p.Title + " " + p.Abstract) {
			postings[word] = append(postings[word], i)
		}
	}
	for _, topic := range m.topics {
		common := make([]int, len(m.tables.patents))
		for _, word := range distinctWords(topic.Title + " " + topic.Abstract) {
			for _, i := range postings[word] {
				common[i]++
			}
		}
		var found []int
		for i, n := range common {
			if p := m.tables.patents[i]; n > 0 && p.PatentID != topic.PatentID && (p.FamilyID == "" || p.FamilyID != topic.FamilyID) {
				found = append(found, i)
			}
		}
		slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(common[b], common[a]), cmp.Compare(a, b)) })
		for rank, i := range found[:min(hits, len(found))] {
			m.pools = append(m.pools, schemas.Pool{
				TopicID: topic.TopicID, PatentID: m.tables.patents[i].PatentID, Rank: int32(rank + 1), Score: float64(common[i]), IndexBuild: "words",
			})
		}
	}
}

func (in tables) miniWorkspace(t *testing.T) workspace.Dir {
	t.Helper()
	ws := workspace.Dir(t.TempDir())
	in.write(t, ws, 5000)
	return ws
}

// xmlPatent is the part of a CLEF-IP document that is read.
type xmlPatent struct {
	UCID     string `xml:"ucid,attr"`
	FamilyID string `xml:"family-id,attr"`
	Date     string `xml:"date,attr"`
	Data     struct {
		IPC    []string `xml:"classifications-ipcr>classification-ipcr"`
		Titles []text   `xml:"invention-title"`
	} `xml:"bibliographic-data>technical-data"`
	Abstracts []struct {
		Lang       string `xml:"lang,attr"`
		Paragraphs []text `xml:"p"`
	} `xml:"abstract"`
}

type text struct {
	Lang  string `xml:"lang,attr"`
	Words string `xml:",chardata"`
}

func decodePatent(t *testing.T, r io.Reader) xmlPatent {
	t.Helper()
	var p xmlPatent
	d := xml.NewDecoder(r)
	d.Strict = false
	if err := d.Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p xmlPatent) title() string {
	for _, title := range p.Data.Titles {
		if title.Lang == "EN" {
			return strings.TrimSpace(title.Words)
		}
	}
	return ""
}

func (p xmlPatent) abstract() string {
	var all []string
	for _, abstract := range p.Abstracts {
		for _, paragraph := range abstract.Paragraphs {
			if words := strings.TrimSpace(paragraph.Words); abstract.Lang == "EN" && words != "" {
				all = append(all, words)
			}
		}
	}
	return strings.Join(all, "\n")
}

func (p xmlPatent) subclasses() []string {
	var all []string
	for _, symbol := range p.Data.IPC {
		if len(symbol) >= 4 {
			all = append(all, symbol[:4])
		}
	}
	return all
}

func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func distinctWords(s string) []string {
	return distinct(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

func eachMember(t *testing.T, path string, visit func(name string, r io.Reader)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for members := tar.NewReader(unzipped); ; {
		header, err := members.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			visit(header.Name, members)
		}
	}
}
