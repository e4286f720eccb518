package synth

import "slices"

// symbol is an IPC symbol without its subclass: "21/02".
type symbol struct {
	subclass  string
	mainGroup int
	subgroup  int
}

// symbolsOf returns what p is classified in, each once: a symbol that its theme shares, some of its own, and one of
// each further subclass.
func (u *universe) symbolsOf(p *patent) []symbol {
	r := draw(u.seed, forIPC, uint64(p.n))
	theme := draw(u.seed, forIPC, 1<<40|p.place.ancestor(min(1, p.place.epoch)).theme<<6|uint64(p.place.epoch))
	main := subclasses.names[p.subclasses.main()]
	shared := symbol{main, 1 + theme.below(99), theme.below(70)}
	symbols := []symbol{shared}
	for range r.below(3) {
		symbols = append(symbols, symbol{main, shared.mainGroup, (shared.subgroup + 1 + r.below(60)) % 100})
	}
	for _, subclass := range p.subclasses.items[1:p.subclasses.n] {
		symbols = append(symbols, symbol{subclasses.names[subclass], 1 + r.below(200), r.below(40)})
	}
	distinct := symbols[:0]
	for _, s := range symbols {
		if !slices.Contains(distinct, s) {
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// appendST8 writes a symbol in the fifty columns of WIPO standard ST.8, as reclassified (R) by machine (M).
func (s symbol) appendST8(b []byte, level, position, value byte, action day, office string) []byte {
	start := len(b)
	b = s.appendShort(b)
	b = appendSpaces(b, start+19-len(b))
	b = append(b, "20060101"...)
	b = append(b, level, position, value)
	b = action.append(b)
	b = append(b, "RM"...)
	b = append(b, office...)
	return appendSpaces(b, start+50-len(b))
}

// appendShort writes the symbol as the classes before 2006 do, and ST.8 in its first columns: the main group right
// aligned, the subgroup of at least two digits.
func (s symbol) appendShort(b []byte) []byte {
	b = append(b, s.subclass...)
	for limit := 1000; limit > 1 && s.mainGroup < limit; limit /= 10 {
		b = append(b, ' ')
	}
	b = appendPadded(b, s.mainGroup, 1)
	b = append(b, '/')
	return appendPadded(b, s.subgroup, 2)
}

func appendSpaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// classifications writes p's symbols as a document of the given kind carries them: the same symbol at the advanced
// and at the core level, sometimes once more from another office, and for granted patents the short form of before
// 2006 as well.
func (u *universe) classifications(b []byte, p *patent, granted bool) []byte {
	if p.unclassified {
		return b
	}
	r := draw(u.seed, forIPC, uint64(p.n)|1<<41)
	symbols := u.symbolsOf(p)
	if granted {
		b = append(b, "<classification-ipc><edition>7</edition>"...)
		for i, s := range symbols {
			name := "further-classification"
			if i == 0 {
				name = "main-classification"
			}
			b = openTag(b, name)
			b = closeTag(s.appendShort(b), name)
		}
		b = append(b, "</classification-ipc>"...)
	}
	b = append(b, "<classifications-ipcr>"...)
	row := func(s symbol, level, position, value byte, office string) {
		b = append(b, "<classification-ipcr>"...)
		b = s.appendST8(b, level, position, value, reclassified, office)
		b = append(b, "</classification-ipcr>"...)
	}
	for i, s := range symbols {
		value := byte('I')
		if i > 0 && r.chance(0.2) {
			value = 'N'
		}
		row(s, 'A', ' ', value, "EP")
		if r.chance(0.7) {
			row(symbol{s.subclass, s.mainGroup, 0}, 'C', ' ', value, "EP")
		}
		if r.chance(0.15) {
			position := byte('L')
			if i == 0 {
				position = 'F'
			}
			row(s, 'A', position, value, "JP")
		}
	}
	return append(b, "</classifications-ipcr>"...)
}

// reclassified is 2005-10-08, when the office moved its documents to the eighth edition of the IPC.
const reclassified day = 13064
