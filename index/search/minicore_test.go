package search

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/index/build"
	"dssdnet/index/indextest"
	"dssdnet/internal/shareddata"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// TestRealPatents ranks a small collection of real patents, with increments, and compares every pool with brute
// force and with Bluge's own search, its formula corrected.
func TestRealPatents(t *testing.T) {
	dir := filepath.Join(shareddata.Dir(t), "data", "mini-core")
	if testing.Short() {
		t.Skip("needs half a minute of brute force, which -short leaves out")
	}
	patents := patentsOf(readXML(t, filepath.Join(dir, "collection.tar.gz")))
	var topics []schemas.Topic
	var qrels []schemas.Qrel
	for _, split := range []string{"train", "valid", "test"} {
		topics = append(topics, topicsOf(readXML(t, filepath.Join(dir, "topics-"+split+".tar.gz")), split)...)
		qrels = append(qrels, readQrels(t, filepath.Join(dir, "qrels-"+split+".txt"))...)
	}
	w := &world{Dir: workspace.Dir(t.TempDir()), patents: patents[:len(patents)*9/10], topics: topics}
	w.porter(t)
	w.patents = patents
	w.porter(t)
	w.writeTopics(t)
	indextest.WriteTable(t, schemas.Qrels, filepath.Join(w.Table("qrels"), "mini-core.parquet"), qrels)

	const hits = 1000
	result := w.run(t, func(c *Config) { c.Hits, c.KeepFamily = hits, true })
	if result.Topics != 427 || result.Quality == nil {
		t.Fatalf("the result is %+v", result)
	}
	for _, at := range result.Quality.At {
		t.Logf("recall at %d: %.4f, %d of %d golds", at.K, at.Recall, at.Found, result.Quality.Golds)
	}
	rows := make(map[string][]indextest.Scored)
	for _, row := range w.pool(t) {
		rows[row.TopicID] = append(rows[row.TopicID], indextest.Scored{ID: row.PatentID, Score: row.Score})
	}
	w.compare(t, rows, hits)
}

// compare checks the pools of all topics against two other rankings.
func (w *world) compare(t *testing.T, rows map[string][]indextest.Scored, hits int) {
	analyst, err := analysis.New(analysis.Porter2)
	must(t, err)
	documents := make(map[string][]string)
	for _, p := range w.patents {
		documents[p.PatentID] = analyst.Sequence(p.Title + "\n" + p.Abstract)
	}
	brute := indextest.NewBruteForce(documents)
	dir, err := index.Current(w.Table("index"))
	must(t, err)
	ix, err := index.Open(t.Context(), dir, index.Options{})
	must(t, err)
	field := ix.Fields()[0].FieldInfo
	must(t, ix.Close())
	bluge, err := indextest.OpenBluge(dir, "text",
		indextest.BlugeStats{Patents: field.Patents, AverageLength: field.AverageLength, K1: 1.2, B: 0.75})
	must(t, err)
	defer func() { must(t, bluge.Close()) }()
	for i, topic := range w.topics {
		terms := analyst.Sequence(topic.Title + "\n" + topic.Abstract)
		weights := make(map[string]float64)
		for _, term := range terms {
			weights[term]++
		}
		own := func(s indextest.Scored) bool { return s.ID == topic.PatentID }
		slow, err := bluge.Search(t.Context(), weights, len(w.patents))
		must(t, err)
		if diff := indextest.Differ(rows[topic.TopicID], slices.DeleteFunc(slow, own), hits); diff != "" {
			t.Errorf("%s against Bluge: %s", topic.TopicID, diff)
		}
		if i%7 > 0 {
			continue // brute force is slow
		}
		if diff := indextest.Differ(rows[topic.TopicID], slices.DeleteFunc(brute.Rank(terms, 1.2, 0.75), own), hits); diff != "" {
			t.Errorf("%s against brute force: %s", topic.TopicID, diff)
		}
	}
}

func (w *world) porter(t *testing.T) {
	t.Helper()
	w.index(t, func(c *build.Config) { c.Analyzer = analysis.Porter2 })
}

// xmlPatent is what the test reads of a CLEF-IP document.
type xmlPatent struct {
	UCID   string   `xml:"ucid,attr"`
	Family string   `xml:"family-id,attr"`
	IPC    []string `xml:"bibliographic-data>technical-data>classifications-ipcr>classification-ipcr"`
	Titles []struct {
		Lang string `xml:"lang,attr"`
		Text string `xml:",chardata"`
	} `xml:"bibliographic-data>technical-data>invention-title"`
	Abstracts []struct {
		Lang       string   `xml:"lang,attr"`
		Paragraphs []string `xml:"p"`
	} `xml:"abstract"`
}

func (x *xmlPatent) title() string {
	for _, title := range x.Titles {
		if title.Lang == "EN" {
			return strings.TrimSpace(title.Text)
		}
	}
	return ""
}

func (x *xmlPatent) abstract() string {
	for _, abstract := range x.Abstracts {
		if abstract.Lang == "EN" {
			return strings.TrimSpace(strings.Join(abstract.Paragraphs, "\n"))
		}
	}
	return ""
}

func (x *xmlPatent) subclasses() []string {
	var list []string
	for _, symbol := range x.IPC {
		if len(symbol) >= 4 {
			list = append(list, symbol[:4])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func patentsOf(files []xmlPatent) []schemas.Patent {
	byID := make(map[string]schemas.Patent)
	for _, x := range files {
		ucid, err := schemas.ParseUCID(x.UCID)
		if err != nil {
			continue
		}
		byID[ucid.PatentID()] = schemas.Patent{
			PatentID: ucid.PatentID(), FamilyID: x.Family, Title: x.title(), Abstract: x.abstract(), IPCSubclasses: x.subclasses(),
		}
	}
	var patents []schemas.Patent
	for _, p := range byID {
		patents = append(patents, p)
	}
	slices.SortFunc(patents, func(a, b schemas.Patent) int { return strings.Compare(a.PatentID, b.PatentID) })
	return patents
}

func topicsOf(files []xmlPatent, split string) []schemas.Topic {
	var topics []schemas.Topic
	for _, x := range files {
		if ucid, err := schemas.ParseUCID(x.UCID); err == nil {
			topics = append(topics, schemas.Topic{
				TopicID: ucid.String(), PatentID: ucid.PatentID(), UCID: ucid.String(), Set: "mini-core", Split: split, Lang: "en",
				Title: x.title(), Abstract: x.abstract(), FamilyID: x.Family, IPCSubclasses: x.subclasses(),
			})
		}
	}
	return topics
}

func readXML(t *testing.T, path string) []xmlPatent {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	var files []xmlPatent
	for archive := tar.NewReader(z); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		must(t, err)
		if filepath.Ext(header.Name) != ".xml" || filepath.Base(header.Name) == "PAC_topics.xml" {
			continue
		}
		decoder := xml.NewDecoder(archive)
		decoder.Strict = false
		var x xmlPatent
		must(t, decoder.Decode(&x))
		files = append(files, x)
	}
}

func readQrels(t *testing.T, path string) []schemas.Qrel {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	var qrels []schemas.Qrel
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		columns := strings.Fields(lines.Text())
		topic, err := schemas.ParseUCID(columns[0])
		must(t, err)
		patent, err := schemas.ParseUCID(columns[1])
		must(t, err)
		qrels = append(qrels, schemas.Qrel{TopicID: topic.String(), PatentID: patent.PatentID(), Grade: 1, Set: "mini-core"})
	}
	must(t, lines.Err())
	return qrels
}
