package indextest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"dssdnet/schemas"
)

// Shape of a made-up collection.
type Shape struct {
	Patents    int
	Vocabulary int // distinct words of the language
	Length     int // mean number of words of title and abstract together
	Seed       uint64
}

// Small is a collection that brute force ranks in no time.
var Small = Shape{Patents: 700, Vocabulary: 3000, Length: 40, Seed: 1}

// Language draws words with a Zipf distribution. A word is letters only and no English stop word, so every analyzer
// without stemming leaves it alone.
type Language struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

// NewLanguage makes a language of n words.
func NewLanguage(n int, seed uint64) *Language {
	random := rand.New(rand.NewPCG(seed, 0x6c616e67))
	l := &Language{random: random, zipf: rand.NewZipf(random, 1.07, 60, uint64(n-1))}
	for i := range n {
		l.words = append(l.words, spell(i))
	}
	return l
}

// spell writes a number in syllables.
func spell(i int) string {
	const onsets, nuclei = "bdfgklmprstvz", "aeiou"
	word := "x"
	for {
		syllable := i % (len(onsets) * len(nuclei))
		word += onsets[syllable%len(onsets):][:1] + nuclei[syllable/len(onsets):][:1]
		if i /= len(onsets) * len(nuclei); i == 0 {
			return word
		}
	}
}

// Text draws about n words: a few topics of the language, each word possibly in a burst.
func (l *Language) Text(n int) string {
	n = max(1, int(float64(n)*math.Exp(0.5*l.random.NormFloat64())))
	topic := l.random.IntN(max(1, len(l.words)/20)) * 20
	var words []string
	for len(words) < n {
		word := l.words[l.zipf.Uint64()]
		if l.random.IntN(4) == 0 {
			word = l.words[min(topic+l.random.IntN(20), len(l.words)-1)]
		}
		for again := true; again && len(words) < n; again = l.random.IntN(6) == 0 {
			words = append(words, word)
		}
	}
	l.random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return strings.Join(words, " ")
}

var subclasses = []string{"A01B", "A61K", "A61P", "B60L", "C07D", "G06F", "H01L", "H04N"}

// Make makes the patents of a collection, in the order of their ids. Some have no text, no date, no family or no IPC
// subclass.
func (s Shape) Make() []schemas.Patent {
	l := NewLanguage(s.Vocabulary, s.Seed)
	patents := make([]schemas.Patent, 0, s.Patents)
	for i := range s.Patents {
		patents = append(patents, l.patent(i, s.Length))
	}
	return patents
}

func (l *Language) patent(i, length int) schemas.Patent {
	p := schemas.Patent{PatentID: fmt.Sprintf("EP-%07d", 3*i+1), Country: "EP"}
	if l.random.IntN(30) > 0 {
		p.Title = l.Text(max(1, length/8))
	}
	if l.random.IntN(15) > 0 {
		p.Abstract = l.Text(length)
	}
	p.Claims = l.Text(2 * length)
	if l.random.IntN(10) > 0 {
		day := schemas.Date(9000 + l.random.IntN(6000))
		p.PublicationDate = &day
	}
	switch l.random.IntN(4) {
	case 0:
	case 1:
		p.FamilyID = fmt.Sprintf("F%d", i/3)
	default:
		p.FamilyID = fmt.Sprint(i / 3)
	}
	for range l.random.IntN(4) {
		p.IPCSubclasses = append(p.IPCSubclasses, subclasses[l.random.IntN(len(subclasses))])
	}
	slices.Sort(p.IPCSubclasses)
	p.IPCSubclasses = slices.Compact(p.IPCSubclasses)
	return p
}

// Topics makes n topics out of a collection: each is one of its patents with words changed, and its own patent.
func Topics(patents []schemas.Patent, n int, seed uint64) []schemas.Topic {
	random := rand.New(rand.NewPCG(seed, 0x746f7069))
	var topics []schemas.Topic
	for i := range n {
		p := patents[random.IntN(len(patents))]
		other := patents[random.IntN(len(patents))]
		topics = append(topics, schemas.Topic{
			TopicID: fmt.Sprintf("PAC-%d", i+1), PatentID: p.PatentID, UCID: p.PatentID + "-A1", Set: "made-up",
			Split: "train", Lang: "en", Title: p.Title, Abstract: strings.TrimSpace(p.Abstract + " " + other.Title),
			Claims: p.Claims, PublicationDate: p.PublicationDate, FamilyID: p.FamilyID, IPCSubclasses: p.IPCSubclasses,
		})
	}
	return topics
}
