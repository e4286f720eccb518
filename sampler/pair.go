package sampler

import "dssdnet/schemas/arrowfile"

// pair is a query and a candidate with their labels: 16 bytes.
type pair struct {
	topic  uint32 // number of the topic
	doc    uint32
	rank   int32 // in the topic's pool, 0 when not in it
	source origin
	domain domain
	gold   bool
}

// origin is how a candidate came into the table: an index into arrowfile.Sources.
type origin uint8

const (
	fromGold origin = iota
	fromRandom
	fromPool
	fromPoolSameSubclass
	fromDomainBalanced
)

func (s origin) String() string { return arrowfile.Sources[s] }

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
