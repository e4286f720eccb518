package patentxml

import (
	"bytes"
	"slices"
	"strconv"
)

// splitClaims cuts the text of a file's only claim element into the claims it holds, by turning the space before each
// but the first into a newline. Old files have all claims in one element, one or more to a claim-text. starts are the
// places where an element begins or ends.
//
// A claim begins with its number ("2. Rod ..."), and the numbers must run 1, 2, 3 ...: numbers at the front of an element
// are trusted first; a number they leave out, or those after the last, may stand inside the text, behind the end of a
// sentence. Where they don't run so, the text stays one claim. What stands before claim 1 ("I CLAIM;") stays with it.
func splitClaims(text []byte, starts []int) {
	var cuts []int // where the claims 1, 2, 3 ... begin
	for _, at := range starts {
		for at < len(text) && text[at] == ' ' {
			at++
		}
		n, ok := claimNumber(text[at:])
		if !ok || len(cuts) > 0 && at <= cuts[len(cuts)-1] {
			continue
		}
		last := cuts
		for len(cuts) > 0 && n > len(cuts)+1 { // numbers in between must stand inside the text
			from := cuts[len(cuts)-1]
			i := sentenceWithNumber(text[:at], from, len(cuts)+1)
			if i < 0 {
				break
			}
			cuts = append(cuts, i)
		}
		if n == len(cuts)+1 {
			cuts = append(cuts, at)
		} else {
			cuts = last
		}
	}
	for len(cuts) > 0 {
		i := sentenceWithNumber(text, cuts[len(cuts)-1], len(cuts)+1)
		if i < 0 {
			break
		}
		cuts = append(cuts, i)
	}
	if len(cuts) < 2 {
		return
	}
	for _, at := range cuts[1:] {
		text[at-1] = '\n'
	}
}

// claimNumber reads "12. " at the beginning of text.
func claimNumber(text []byte) (int, bool) {
	n := digits(text)
	if n == 0 || n > 4 || len(text) < n+2 || text[n] != '.' || text[n+1] != ' ' {
		return 0, false
	}
	number, err := strconv.Atoi(string(text[:n]))
	return number, err == nil && text[0] != '0'
}

// sentenceWithNumber returns the place after from where a sentence begins with number, a point and a capital; -1 when
// there is none.
func sentenceWithNumber(text []byte, from, number int) int {
	key := append(strconv.AppendInt([]byte{' '}, int64(number), 10), ". "...)
	for from < len(text) {
		i := bytes.Index(text[from:], key)
		if i < 0 {
			return -1
		}
		i += from
		after := i + len(key)
		if after < len(text) && text[after] >= 'A' && text[after] <= 'Z' && endsSentence(text[:i]) {
			return i + 1
		}
		from = after
	}
	return -1
}

// beforeNumbers are abbreviations that end in a point and stand before a number: "as in Fig. 2. The rod ...".
var beforeNumbers = []string{"fig", "figs", "no", "nos", "nr", "abb", "ex", "eq", "ref", "art", "para", "pat", "vol", "ca", "approx"}

func endsSentence(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch text[len(text)-1] {
	case ';':
		return true
	case '.':
		word := text[bytes.LastIndexAny(text, " \n(")+1 : len(text)-1]
		return !slices.Contains(beforeNumbers, string(bytes.ToLower(word)))
	}
	return false
}
