package synth

import "strconv"

// conceptsPerLevel is how many concepts a theme takes from itself and from the themes it came from. Most of them
// are common to a theme and its twin in another field; the last of each level is the theme's own.
var conceptsPerLevel = [...]int{4, 4, 3, 3}

const (
	ownConcepts = 2 // concepts of one patent alone
	maxConcepts = 4 + 4 + 3 + 3 + ownConcepts
)

// conceptsOf returns the concepts of a patent's theme that the patent speaks of, the most salient first.
func (u *universe) conceptsOf(n int) []int {
	place, r := lineageOf(u.seed, n), draw(u.seed, forConcepts, uint64(n))
	ids := make([]int, 0, maxConcepts)
	for level := 0; level < len(conceptsPerLevel) && level <= place.epoch; level++ {
		node := place.ancestor(level)
		for i := range conceptsPerLevel[level] {
			if !r.chance(0.8) {
				continue
			}
			theme := node.theme
			if i != conceptsPerLevel[level]-1 && node.depth() > 0 {
				theme &^= 1 << (node.depth() - 1) // the twin differs in this bit
			}
			c := draw(u.seed, forConcepts, 1<<62|theme<<8|uint64(node.depth())<<3|uint64(i))
			ids = append(ids, c.below(conceptCount))
		}
	}
	for range ownConcepts {
		ids = append(ids, r.below(conceptCount))
	}
	for i := len(ids) - 1; i > 0; i-- {
		j := r.below(i + 1)
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}

// voice is how one patent speaks one language: the words of its field, and which synonym it prefers.
type voice struct {
	*wordList
	field, side []string // words of its main and of its last subclass
	preferred   []string // for each concept, the most salient first
	seldom      []string // another synonym of each
}

func (u *universe) voice(p *patent, concepts []int, lang int) voice {
	list := &u.words.languages[lang]
	r := draw(u.seed, forVoice, uint64(p.n*languages+lang))
	v := voice{
		wordList: list,
		field:    list.fields[p.subclasses.main()],
		side:     list.fields[p.subclasses.items[p.subclasses.n-1]],
	}
	for _, id := range concepts {
		c := &list.concepts[id]
		i := r.below(c.n)
		v.preferred = append(v.preferred, c.words[i])
		v.seldom = append(v.seldom, c.words[(i+1)%c.n])
	}
	return v
}

// Sources of a word.
const (
	fromFunction = iota
	fromShared
	fromField
	fromSide
	fromConcepts
	fromSynonyms
	fromRare
)

// mixture says which of 256 equally likely words come from where.
type mixture [256]uint8

func newMixture(function, shared, field, side, concepts, synonyms, rare int) *mixture {
	var m mixture
	i := 0
	for source, n := range []int{function, shared, field, side, concepts, synonyms, rare} {
		for range n {
			m[i], i = uint8(source), i+1
		}
	}
	return &m
}

var (
	dense  = newMixture(96, 30, 40, 8, 80, 0, 2) // abstracts
	medium = newMixture(110, 50, 44, 8, 36, 6, 2)
	loose  = newMixture(112, 62, 46, 10, 17, 4, 5) // descriptions
)

// wordsPerLine is where texts break their lines: the corpus has hard newlines inside sentences.
const wordsPerLine = 13

// sentences writes about words words in sentences. When begun is true the first one goes on what stands before it
// in b.
func (u *universe) sentences(b []byte, v *voice, m *mixture, words int, begun bool, r *random) []byte {
	for words > 0 {
		length := min(r.between(10, 30), max(words, 6))
		b = u.sentence(b, v, m, length, begun, r)
		if words -= length; words > 0 {
			b = append(b, ' ')
		}
		begun = false
	}
	return b
}

func (u *universe) sentence(b []byte, v *voice, m *mixture, words int, begun bool, r *random) []byte {
	for i := range words {
		switch {
		case i%wordsPerLine == wordsPerLine-1:
			b = append(b, '\n')
		case i > 0 || begun:
			b = append(b, ' ')
		}
		start := len(b)
		b = u.word(b, v, m, r)
		if i == 0 && !begun && 'a' <= b[start] && b[start] <= 'z' {
			b[start] -= 'a' - 'A'
		}
	}
	return append(b, '.')
}

// word writes one word, and sometimes a reference numeral after it.
func (u *universe) word(b []byte, v *voice, m *mixture, r *random) []byte {
	x := r.next()
	bits := x >> 8
	switch m[x&255] {
	case fromFunction:
		return append(b, v.functionWords[bits%functionPlaces]...)
	case fromShared:
		return append(b, v.shared[u.words.sharedRank[bits%quantiles]]...)
	case fromField:
		b = append(b, v.field[u.words.fieldRank[bits%quantiles]]...)
	case fromSide:
		return append(b, v.side[u.words.fieldRank[bits%quantiles]]...)
	case fromConcepts:
		b = append(b, v.preferred[salient(bits, len(v.preferred))]...)
	case fromSynonyms:
		return append(b, v.seldom[salient(bits, len(v.seldom))]...)
	default:
		return u.rareWord(b, v, bits)
	}
	if numeral := x >> 40; numeral%16 == 0 {
		b = append(b, " ("...)
		b = strconv.AppendUint(b, 1+numeral>>8%60, 10)
		b = append(b, ')')
	}
	return b
}

// salient returns an index below n, small ones more often.
func salient(bits uint64, n int) int {
	return int(min(bits&0xffff*uint64(n)>>16, bits>>16&0xffff*uint64(n)>>16))
}

// rareWord writes a word of the long tail. The scale of its number is uniform, so that some are met again.
func (u *universe) rareWord(b []byte, v *voice, bits uint64) []byte {
	span := uint64(rareWords) >> (bits & 15)
	h := draw(u.seed, forRareWords, bits>>4%span)
	return v.appendWord(b, h.next(), 3)
}
