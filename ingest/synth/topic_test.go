package synth

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goldRow is a row of the qrels files.
type goldRow struct {
	topic, patent string
	grade         string
}

func readQrels(t *testing.T, path string) []goldRow {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows []goldRow
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 4 || fields[1] != "0" || fields[3] != "1" && fields[3] != "2" {
			t.Fatalf("%s: %q is no qrels row", path, line)
		}
		rows = append(rows, goldRow{fields[0], fields[2], fields[3]})
	}
	return rows
}

var topicLines = regexp.MustCompile(`<topic>\n<num>(PAC-\d+)</num>\n<narr>[^\n]*</narr>\n<file>(files/[^\n]*)</file>\n</topic>\n`)

// TestTopicSets reads topics and qrels as a user would.
func TestTopicSets(t *testing.T) {
	t.Parallel()
	for _, omit := range []bool{false, true} {
		cfg := small(filepath.Join(t.TempDir(), "out"))
		cfg.Patents, cfg.Topics, cfg.DescriptionWords, cfg.OmitTopicPatents = 900, 100, 20, omit
		cfg.HazardShare = 0.2
		result := run(t, cfg)
		var perTopic []int
		newest, total := 0, 0
		for _, split := range []string{"train", "valid", "test"} {
			list, err := os.ReadFile(filepath.Join(cfg.Out, "topics-"+split, "PAC_topics.xml"))
			if err != nil {
				t.Fatal(err)
			}
			topics := topicLines.FindAllStringSubmatch(string(list), -1)
			rows := readQrels(t, filepath.Join(cfg.Out, "qrels-"+split+".txt"))
			if got := result.Topics[split]; got.Topics != len(topics) || got.Golds != len(rows) {
				t.Errorf("%s: counts %+v, files %d topics and %d golds", split, got, len(topics), len(rows))
			}
			total += len(topics)
			for _, topic := range topics {
				content, err := os.ReadFile(filepath.Join(cfg.Out, "topics-"+split, topic[2]))
				if err != nil {
					t.Fatal(err)
				}
				x := readXML(t, content)
				if len(x.Citations) > 0 || strings.Contains(string(content), "patcit") {
					t.Errorf("%s has its citations", topic[2])
				}
				if len(x.Abstract) == 0 || len(x.Claims) == 0 {
					t.Errorf("%s has no text to search with", topic[2])
				}
				var n int
				if _, err := fmt.Sscanf(topic[1], "PAC-%d", &n); err != nil || n < newest {
					t.Errorf("%s: %s after PAC-%d: %v", split, topic[1], newest, err)
				}
				newest = n
				if found := present(cfg, n); found == omit {
					t.Errorf("topic patent %d in the collection: %v, omitted %v", n, found, omit)
				}
				golds := 0
				for _, row := range rows {
					if row.topic == topic[1] {
						golds++
						var cited int
						if _, err := fmt.Sscanf(row.patent, "EP-%d", &cited); err != nil || !present(cfg, cited) {
							t.Errorf("gold %s of %s is not in the collection: %v", row.patent, row.topic, err)
						}
					}
				}
				if golds == 0 {
					t.Errorf("%s has no golds", topic[1])
				}
				perTopic = append(perTopic, golds)
			}
		}
		if total != cfg.Topics {
			t.Errorf("%d topics, want %d", total, cfg.Topics)
		}
		slices.Sort(perTopic)
		if median := perTopic[len(perTopic)/2]; median < 4 || median > 6 {
			t.Errorf("the median topic has %d golds, want about 5", median)
		}
	}
}

func present(cfg Config, n int) bool {
	entries, err := os.ReadDir(filepath.Join(cfg.Out, collectionName, treePath(n)))
	return err == nil && len(entries) > 0
}

// TestGradesAreTheCategories compares the qrels with the citations in the collection's XML.
func TestGradesAreTheCategories(t *testing.T) {
	t.Parallel()
	a := author{universe: testUniverse(6, 2000)}
	checked := 0
	for n := 1500; n < 2000; n++ {
		if !a.canBeTopic(n) {
			continue
		}
		p := a.patent(n)
		a.begin(p)
		grades := map[string]int{}
		for _, g := range a.golds(&p) {
			grades[patentID(g.n)] = g.grade
		}
		for _, d := range a.documents {
			if d.kind != p.citesIn() {
				continue
			}
			for _, c := range readXML(t, a.document(d, true)).Citations {
				if !strings.HasPrefix(c.UCID, "EP-") {
					continue
				}
				want := 1
				if c.Sources[0].Category != "A" {
					want = 2
				}
				if got := grades[c.UCID[:len("EP-0000000")]]; got != want {
					t.Errorf("patent %d cites %s as %s: grade %d", n, c.UCID, c.Sources[0].Category, got)
				}
				checked++
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d citations checked", checked)
	}
}
