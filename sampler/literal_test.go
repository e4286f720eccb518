package sampler

import (
	"strings"
	"testing"

	"dssdnet/schemas"
)

// libraryOf builds a library of literal patents: "EP-1 family=5 A61K H04L @2000-01-31 -text". A patent has English
// text unless -text says not.
func libraryOf(t *testing.T, patents ...string) *library {
	t.Helper()
	var all columns
	numbers := newCodes()
	for _, line := range patents {
		row := patentRow{TextLang: "en"}
		for i, word := range strings.Fields(line) {
			switch {
			case i == 0:
				row.PatentID = word
			case strings.HasPrefix(word, "family="):
				row.FamilyID = strings.TrimPrefix(word, "family=")
			case strings.HasPrefix(word, "@"):
				row.PublicationDate = schemas.ParseDate(strings.ReplaceAll(word[1:], "-", ""))
			case word == "-text":
				row.TextLang = "de"
			default:
				row.IPCSubclasses = append(row.IPCSubclasses, word)
			}
		}
		if err := all.addRow(&row, numbers); err != nil {
			t.Fatal(err)
		}
	}
	return newLibrary(all, numbers)
}

// topicOf is a topic on the train side whose golds are patents of the library.
func topicOf(t *testing.T, lib *library, row topicRow, golds ...string) *topic {
	t.Helper()
	if row.Split == "" {
		row.Split = "train"
	}
	if row.Title == "" {
		row.Title = "A topic"
	}
	made, err := newTopic(&row, lib)
	if err != nil {
		t.Fatal(err)
	}
	for _, gold := range golds {
		made.golds = append(made.golds, at(t, lib, gold))
	}
	return &made
}

func at(t *testing.T, lib *library, patent string) uint32 {
	t.Helper()
	ordinal := lib.find(patent)
	if ordinal == nowhere {
		t.Fatalf("the library has no patent %s", patent)
	}
	return ordinal
}

func ordinals(t *testing.T, lib *library, patents string) []uint32 {
	t.Helper()
	var list []uint32
	for _, patent := range strings.Fields(patents) {
		list = append(list, at(t, lib, patent))
	}
	return list
}

// names is the patents of pairs, golds with a star.
func names(lib *library, pairs []pair) string {
	var list []string
	for _, p := range pairs {
		name := lib.id(p.doc)
		if p.gold {
			name += "*"
		}
		list = append(list, name)
	}
	return strings.Join(list, " ")
}
