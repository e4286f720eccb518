package synth

import (
	"bytes"
	"strconv"
)

// Lengths of sections in words, as percent of the mean: the corpus has many short and a few very long ones.
var lengths = [...]int{22, 31, 40, 48, 56, 64, 72, 80, 88, 96, 106, 118, 134, 156, 190, 299}

func lengthAround(mean int, r *random) int { return max(6, mean*lengths[r.below(len(lengths))]/100) }

const (
	abstractWords       = 95
	paragraphWords      = 90
	claimWords          = 45 // of the first claim; the others have half of it
	claimsPerMilleWords = 12 // claims for each thousand words of a description
	minClaims           = 4
)

// title writes the title of p in a language.
func (u *universe) title(b []byte, p *patent, v *voice) []byte {
	r := draw(u.seed, forTitle, uint64(p.n)) // the same draws in every language
	start := len(b)
	head, concepts := r.next(), min(2+r.below(2), len(v.preferred))
	b = append(b, v.heads[head%uint64(len(v.heads))]...)
	for i, word := range v.preferred[:concepts] {
		b = append(b, ' ')
		b = append(b, word...)
		if i == 0 {
			b = append(b, ' ')
			b = append(b, v.field[u.words.fieldRank[r.below(quantiles)]]...)
		}
		if i < concepts-1 {
			b = append(b, ' ')
			b = append(b, v.joints[i%2]...)
		}
	}
	if r.chance(0.1) {
		b = append(b, '.')
	}
	if p.shouting {
		b = append(b[:start], bytes.ToUpper(b[start:])...)
	}
	return b
}

// abstract writes the paragraphs of p's abstract.
func (u *universe) abstract(b []byte, p *patent, v *voice) []byte {
	r := draw(u.seed, forAbstract, uint64(p.n))
	b = append(b, "<p>"...)
	b = append(b, v.disclosed[r.below(len(v.disclosed))]...)
	b = u.sentences(b, v, dense, lengthAround(abstractWords, &r), true, &r)
	return append(b, "</p>"...)
}

// description writes the paragraphs of p's description. Every document of p that has one has the same.
func (u *universe) description(b []byte, p *patent, v *voice) []byte {
	r := draw(u.seed, forDescription, uint64(p.n))
	words := lengthAround(u.descriptionWords, &r)
	for number := 1; words > 0; number++ {
		b = append(b, `<p num="`...)
		b = appendPadded(b, number, 4)
		b = append(b, `">`...)
		length := min(words, r.between(paragraphWords/2, paragraphWords*3/2))
		m := loose
		if number <= 2 {
			m = medium // it begins with what the invention is about
		}
		b = u.sentences(b, v, m, length, false, &r)
		b = append(b, "</p>"...)
		words -= length
	}
	return b
}

// claims writes the claim elements of a document of p in a language. A granted patent claims in other words than
// its application.
func (u *universe) claims(b []byte, p *patent, v *voice, ordinal int) []byte {
	r := draw(u.seed, forClaims, uint64(p.n*maxDocuments+ordinal))
	count := lengthAround(max(minClaims, u.descriptionWords*claimsPerMilleWords/1000), &r)
	for number := 1; number <= count; number++ {
		b = append(b, `<claim num="`...)
		b = strconv.AppendInt(b, int64(number), 10)
		b = append(b, `"><claim-text>`...)
		length := claimWords / 2
		if number == 1 || r.chance(0.1) {
			b = append(b, v.independs[r.below(len(v.independs))]...)
			length = claimWords
		} else {
			b = appendReference(b, v.depends[r.below(len(v.depends))], 1+r.below(number-1))
		}
		b = u.sentence(b, v, medium, lengthAround(length, &r), true, &r)
		b = append(b, "</claim-text></claim>"...)
	}
	return b
}

// appendReference writes text with number in place of its '#'.
func appendReference(b []byte, text string, number int) []byte {
	for i := range len(text) {
		if text[i] == '#' {
			b = strconv.AppendInt(b, int64(number), 10)
		} else {
			b = append(b, text[i])
		}
	}
	return b
}

// appendPadded writes n with zeros before it up to width digits.
func appendPadded(b []byte, n, width int) []byte {
	for limit := 10; width > 1; width-- {
		if n < limit {
			for range width - 1 {
				b = append(b, '0')
			}
			break
		}
		limit *= 10
	}
	return strconv.AppendInt(b, int64(n), 10)
}
