package wordpiece

import (
	"sync"
	"unicode/utf8"
)

// maxWord is the characters above which a word is [UNK].
const maxWord = 100

// tables of the characters up to U+FFFF, one for each normalizer that is in use.
var (
	tables   = map[normalizer][]glyph{}
	tablesMu sync.Mutex
)

func table(n normalizer) []glyph {
	tablesMu.Lock()
	defer tablesMu.Unlock()
	if tables[n] == nil {
		all := make([]glyph, 1<<16)
		for r := range all {
			all[r] = n.glyph(rune(r))
		}
		tables[n] = all
	}
	return tables[n]
}

// split hands every word of a text to emit, normalized, with its number of characters. Of a word of more than maxWord
// characters the bytes are only a beginning. emit must not keep the bytes.
func split(n normalizer, glyphs []glyph, text string, emit func(word []byte, chars int)) {
	var space [4 * maxWord]byte
	w := words{emit: emit, word: space[:0]}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		var g glyph
		if int(r) < len(glyphs) {
			g = glyphs[r]
		} else {
			g = n.glyph(r)
		}
		w.put(g, text[i:i+size])
		i += size
	}
	w.end()
}

// words collects one word at a time.
type words struct {
	emit  func(word []byte, chars int)
	word  []byte
	chars int
}

// put takes a character; self is its own text.
func (w *words) put(g glyph, self string) {
	switch g.kind {
	case letter:
		w.letters(self, 1)
	case gap:
		w.end()
	case mark:
		w.end()
		w.letters(self, 1)
		w.end()
	case mapped:
		if g.parts == nil {
			w.letters(g.text, utf8.RuneCountInString(g.text))
			return
		}
		for _, p := range g.parts {
			w.put(p, p.text)
		}
	case drop:
	}
}

func (w *words) letters(s string, chars int) {
	w.chars += chars
	if w.chars <= maxWord {
		w.word = append(w.word, s...)
	}
}

func (w *words) end() {
	if w.chars > 0 {
		w.emit(w.word, w.chars)
	}
	w.word, w.chars = w.word[:0], 0
}
