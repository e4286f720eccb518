package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/clipperhouse/uax29/v2/words"
)

// Names of the analyzers. The number is the version: any change that makes one term differ is a new one, and needs
// a new index.
const (
	Porter2       = "en-porter2/1"        // the default
	Porter2NoNums = "en-porter2-nonums/1" // words without a letter are left out
	Words         = "en-words/1"          // no stemming
	WordsNoNums   = "en-words-nonums/1"   // no stemming, words without a letter are left out
)

// Names lists the analyzers of this build, the default first.
func Names() []string { return []string{Porter2, Porter2NoNums, Words, WordsNoNums} }

// maxKnownWords bounds the table of words that an analyzer has met, about 100 bytes each.
const maxKnownWords = 1 << 17

// Term is one term of a text and how often it stands there.
type Term struct {
	Text  string
	Count uint32
}

// Analyzer makes terms of text. It is not safe for concurrent use: make one per goroutine.
type Analyzer struct {
	stem    bool
	numbers bool

	// known has every word met, folded. Words with one stem share one entry; a nil entry is a word that makes no
	// term.
	known map[string]*entry
	stems map[string]*entry

	text   uint64 // number of the current text: slots of entries of older texts are void
	bag    []Term
	folded []byte
	cut    *words.Iterator[string]
}

type entry struct {
	term string
	text uint64
	slot int
}

// New returns the analyzer of a name.
func New(name string) (*Analyzer, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no analyzer %q, this dssdnet has %s", name, strings.Join(Names(), ", "))
	}
	a := &Analyzer{
		stem:    name == Porter2 || name == Porter2NoNums,
		numbers: name == Porter2 || name == Words,
		cut:     words.FromString(""),
	}
	a.forget()
	return a, nil
}

// Bag returns the distinct terms of the texts together, in the order of their first words, and the number of terms
// with repetitions: the length of the document. The slice is valid until the next call, its strings for ever.
func (a *Analyzer) Bag(texts ...string) (bag []Term, length int) {
	if len(a.known) > maxKnownWords {
		a.forget()
	}
	a.text++
	a.bag = a.bag[:0]
	for _, text := range texts {
		a.each(text, func(e *entry) {
			if e.text != a.text {
				e.text, e.slot = a.text, len(a.bag)
				a.bag = append(a.bag, Term{Text: e.term})
			}
			a.bag[e.slot].Count++
			length++
		})
	}
	return a.bag, length
}

// Sequence returns the terms of a text in their order, repetitions included.
func (a *Analyzer) Sequence(text string) []string {
	var terms []string
	a.each(text, func(e *entry) { terms = append(terms, e.term) })
	return terms
}

func (a *Analyzer) each(text string, visit func(*entry)) {
	a.cut.SetText(text)
	for a.cut.Next() {
		word := a.cut.Value()
		if first := word[0]; first <= '/' || len(word) > maxWordBytes {
			continue // white space, punctuation
		}
		var made shape
		a.folded, made = fold(a.folded[:0], word)
		e, met := a.known[string(a.folded)]
		if !met {
			e = a.meet(string(a.folded), made)
		}
		if e != nil {
			visit(e)
		}
	}
}

// meet decides about a word that is not in the table.
func (a *Analyzer) meet(word string, made shape) *entry {
	var e *entry
	if keep := made&hasLetter != 0 || made&hasDigit != 0 && a.numbers; keep && !stopWords[word] {
		term := word
		if a.stem {
			term = porter2(word)
		}
		if e = a.stems[term]; e == nil {
			e = &entry{term: term}
			a.stems[term] = e
		}
	}
	a.known[word] = e
	return e
}

func (a *Analyzer) forget() {
	a.known = make(map[string]*entry)
	a.stems = make(map[string]*entry)
}

func porter2(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
