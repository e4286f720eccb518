package synth

import (
	"strconv"
	"strings"
)

// Sizes of the word lists.
const (
	sharedWords     = 1600 // words of every field, of which the named common ones are the most frequent
	fieldWords      = 400  // words of one IPC subclass
	conceptCount    = 1536 // concepts, of which every theme is a combination
	maxSynonyms     = 3
	quantileBits    = 12
	quantiles       = 1 << quantileBits
	functionBits    = 10
	functionPlaces  = 1 << functionBits
	rareWords       = 1 << 20 // about as many different rare words occur, most of them once: the long tail
	conceptSyllable = 2
)

// vocabulary is the words of all texts: made once for a seed, then only read.
type vocabulary struct {
	languages [languages]wordList
	// sharedRank and fieldRank turn a uniform number into a rank with probability ~ 1/(rank+1): Zipf's law.
	sharedRank, fieldRank [quantiles]uint16
}

// wordList is the words of one language.
type wordList struct {
	*language
	functionWords [functionPlaces]string // each as often as it is frequent
	shared        []string
	fields        [][]string // by subclass
	concepts      []concept
}

// concept is one notion with its synonyms. A patent prefers one of them, so two patents on one notion may share no
// word of it.
type concept struct {
	words [maxSynonyms]string
	n     int
}

func newVocabulary(seed int64) *vocabulary {
	v := &vocabulary{sharedRank: zipf(sharedWords), fieldRank: zipf(fieldWords)}
	for i := range v.languages {
		v.languages[i] = newWordList(seed, i)
	}
	return v
}

func newWordList(seed int64, index int) wordList {
	l := &languageList[index]
	words := draw(seed, forWords, uint64(index))
	list := wordList{language: l, functionWords: places(l.function), shared: strings.Fields(l.common)}
	for len(list.shared) < sharedWords {
		list.shared = append(list.shared, l.noun(words.next(), words.between(1, 2)))
	}
	for range subclasses.names {
		field := make([]string, fieldWords)
		for i := range field {
			field[i] = l.noun(words.next(), words.between(1, 3))
		}
		list.fields = append(list.fields, field)
	}
	for range conceptCount {
		c := concept{n: words.between(2, maxSynonyms)}
		for i := range c.n {
			c.words[i] = l.noun(words.next(), conceptSyllable)
		}
		list.concepts = append(list.concepts, c)
	}
	return list
}

// zipf returns the ranks [0, n) in order, each as often as its weight 1/(rank+2) says and at least once.
func zipf(n int) (ranks [quantiles]uint16) {
	const scale = 1 << 32
	var total uint64
	for rank := range n {
		total += scale / uint64(rank+2)
	}
	place, spare := 0, quantiles-n
	var sum uint64
	for rank := range n {
		sum += scale / uint64(rank+2)
		for end := rank + 1 + int(sum*uint64(spare)/total); place < end; place++ {
			ranks[place] = uint16(rank)
		}
	}
	return ranks
}

// places spreads words over a table by their frequencies: "the 60 of 40".
func places(frequencies string) (table [functionPlaces]string) {
	fields := strings.Fields(frequencies)
	total := 0
	for i := 1; i < len(fields); i += 2 {
		total += count(fields[i])
	}
	sum, place := 0, 0
	for i := 1; i < len(fields); i += 2 {
		sum += count(fields[i])
		for ; place < sum*functionPlaces/total; place++ {
			table[place] = fields[i-1]
		}
	}
	return table
}

// count reads a number of the word lists above, which the tests check.
func count(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("synth: word list: " + err.Error())
	}
	return n
}
