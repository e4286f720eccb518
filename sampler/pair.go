package sampler

import "dssdnet/schemas/arrowfile"

// pair is a query and a candidate with their labels: 20 bytes.
type pair struct {
	topic  uint32 // number of the topic
	doc    uint32
	rank   int32 // in the topic's pool, 0 when not in it
	source source8
	domain domain
	gold   bool
}

// source8 is an index into arrowfile.Sources.
type source8 uint8

const (
	fromGold source8 = iota
	fromRandom
	fromPool
	fromPoolSameSubclass
	fromDomainBalanced
)

func (s source8) String() string { return arrowfile.Sources[s] }

func (p pair) label() int8 {
	if p.gold {
		return 1
	}
	return 0
}

// judged is the row of the pair without texts.
func (p pair) judged(t *topic, lib *library) arrowfile.Judged {
	return arrowfile.Judged{
		TopicID: t.id, QueryID: t.patent, DocID: lib.id(p.doc), Label: p.label(),
		Domain: p.domain.bit(sameSubclass), DomainKnown: p.domain.has(domainKnown),
		DomainSection: p.domain.bit(sameSection), DomainClass: p.domain.bit(sameClass), DomainIPC3: p.domain.bit(sameClass),
		Source: p.source.String(), PoolRank: p.rank,
	}
}
