package patentxml

import "slices"

// parties collects the names of one role. Files list each person up to three times, once per format; one format is kept:
// DOCDB's normal form ("epo") before the others, because it spells a person alike in every document.
type parties struct {
	byFormat [len(partyFormats)][]string
}

var partyFormats = [...]string{"epo", "intermediate", "original", "other"}

func (p parties) empty() parties {
	for i := range p.byFormat {
		p.byFormat[i] = p.byFormat[i][:0]
	}
	return p
}

func (p *parties) add(format, name string) {
	if name == "" {
		return
	}
	i := slices.Index(partyFormats[:], format)
	if i < 0 {
		i = len(partyFormats) - 1
	}
	if !slices.Contains(p.byFormat[i], name) {
		p.byFormat[i] = append(p.byFormat[i], name)
	}
}

// list returns the names of the first format that has any.
func (p *parties) list() []string {
	for _, names := range p.byFormat {
		if len(names) > 0 {
			return slices.Clone(names)
		}
	}
	return nil
}
