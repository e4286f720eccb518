package synth

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"dssdnet/ingest/patentxml"
	"dssdnet/schemas"
)

// ingested is what the reader makes of the files of a document.
type ingested struct {
	rows    []schemas.Document
	refused []patentxml.Rejection
}

// ingest cuts and parses files as the stages do, those of foreign names excepted.
func ingest(t *testing.T, files []file, h hazard) ingested {
	t.Helper()
	var in ingested
	parser, limits := patentxml.NewParser(patentxml.DefaultLimits()), patentxml.DefaultLimits()
	for _, f := range files[:len(files)-h.aliens] {
		cutter := patentxml.NewCutter(bytes.NewReader(f.content), limits.DocumentBytes)
		for {
			piece, err := cutter.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			row, err := parser.Parse(piece.Bytes, 0)
			var refused *patentxml.Rejection
			switch {
			case errors.As(err, &refused):
				in.refused = append(in.refused, *refused)
			case err != nil:
				t.Fatal(err)
			default:
				in.rows = append(in.rows, *row)
			}
		}
	}
	return in
}

// TestHazardsEndAsDeclared applies every hazard to documents of every kind.
func TestHazardsEndAsDeclared(t *testing.T) {
	a := author{universe: testUniverse(8, 4000)}
	a.descriptionWords = 40
	var samples []int
	kinds := map[string]int{}
	for n := 1; n <= 4000; n++ { // a few documents of each kind and language
		p := a.patent(n)
		for _, d := range a.universe.documents(&p, nil) {
			if key := d.kind + languageList[p.lang].code; kinds[key] < 2 {
				kinds[key]++
				samples = append(samples, n)
			}
		}
	}
	if len(kinds) < 15 {
		t.Fatalf("only kinds %v", kinds)
	}
	for _, h := range append(slices.Clone(hazards), clean) {
		t.Run(h.name, func(t *testing.T) {
			for _, n := range samples {
				a.begin(a.patent(n))
				for _, d := range a.documents {
					f := file{name: treePath(n) + ucid(n, d.kind) + ".xml", content: a.document(d, true)}
					files := []file{f}
					if h.spoil != nil {
						files = spoil(h, f, &a.p, d)
						if bytes.Equal(files[0].content, f.content) && files[0].name == f.name && len(files) == 1 {
							t.Fatalf("%s: nothing was spoiled", f.name)
						}
					}
					in := ingest(t, files, h)
					if len(in.rows) != h.rows || len(in.refused) != h.deadLetters {
						t.Fatalf("%s: %d rows, %d refused %v; declared are %d and %d", f.name, len(in.rows), len(in.refused), in.refused, h.rows, h.deadLetters)
					}
					ucids := map[string]bool{}
					for _, row := range in.rows {
						if ucids[row.UCID] = true; row.PatentID != patentID(n) {
							t.Errorf("%s: a row of patent %s", f.name, row.PatentID)
						}
					}
					if len(ucids) != h.rows-h.repeats {
						t.Errorf("%s: documents %v, declared are %d", f.name, ucids, h.rows-h.repeats)
					}
				}
			}
		})
	}
}

// TestCleanRowsHoldWhatWasWritten compares the row of a clean document with the patent.
func TestCleanRowsHoldWhatWasWritten(t *testing.T) {
	a := author{universe: testUniverse(8, 3000)}
	detected, texts := 0, 0
	eachFile(&a, 1000, func(p *patent, d document, files []file, h hazard) {
		row := ingest(t, files, h).rows[0]
		if len(row.Warnings) > 0 {
			t.Errorf("%s: warnings %q", row.UCID, row.Warnings)
		}
		if row.EarliestPriorityDate == nil || day(*row.EarliestPriorityDate) != p.priority || day(*row.PublicationDate) != d.published {
			t.Errorf("%s: priority %v, published %v; written were %v and %v", row.UCID, row.EarliestPriorityDate, row.PublicationDate, p.priority, d.published)
		}
		var want []string
		if !p.unclassified {
			for _, subclass := range p.subclasses.items[:p.subclasses.n] {
				want = append(want, subclasses.names[subclass])
			}
			slices.Sort(want)
		}
		if !slices.Equal(row.IPCSubclasses, want) {
			t.Errorf("%s: subclasses %v, written were %v", row.UCID, row.IPCSubclasses, want)
		}
		if row.FamilyID != p.familyID() || row.TitleEN == "" || row.TitleDE == "" || row.TitleFR == "" || len(row.Applicants) != 1 {
			t.Errorf("%s: family %s, titles %q %q %q, applicants %q", row.UCID, row.FamilyID, row.TitleEN, row.TitleDE, row.TitleFR, row.Applicants)
		}
		own := 0
		for _, c := range row.Citations {
			if strings.HasPrefix(c.PatentID, "EP-") {
				own++
			}
		}
		if d.kind == p.citesIn() && own != len(a.citations) || d.kind != p.citesIn() && own > 0 {
			t.Errorf("%s has %d citations", row.UCID, own)
		}
		if d.ordinal == 0 && !p.frontPageOnly && p.route != euroPCT {
			texts++
			if row.LangDetected == row.Lang {
				detected++
			}
		}
	})
	if share := float64(detected) / float64(texts); share < 0.99 {
		t.Errorf("the language of %.3f of %d texts is detected", share, texts)
	}
}

// TestHazardShare draws hazards at the wanted rate, each of them.
func TestHazardShare(t *testing.T) {
	u := testUniverse(8, 20_000)
	u.hazardShare, u.descriptionWords = 0.2, 5
	a := author{universe: u}
	count := countAll(t, &a, func() {})
	spoiled := 0
	for _, h := range hazards {
		sum := count.Hazards[h.name]
		documents := sum.Files
		if h.repeats > 0 {
			documents /= 2
		}
		if documents == 0 || sum.Rows != documents*h.rows || sum.DeadLetters != documents*h.deadLetters || sum.Aliens != documents*h.aliens {
			t.Errorf("%s: %+v", h.name, sum)
		}
		spoiled += documents
	}
	documents := 0
	for _, n := range count.Kinds {
		documents += n
	}
	if share := float64(spoiled) / float64(documents); share < 0.19 || share > 0.21 {
		t.Errorf("%.3f of the documents are spoiled, want 0.2", share)
	}
	if len(count.Hazards) != len(hazards) {
		t.Errorf("hazards %v", count.Hazards)
	}
}
