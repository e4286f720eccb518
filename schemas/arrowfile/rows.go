package arrowfile

import "dssdnet/schemas"

// Judged is a row of test-*.arrow: a candidate of a topic with its labels.
type Judged struct {
	TopicID       string
	QueryID       string // patent of the topic
	DocID         string // candidate patent
	Label         int8   // 1 relevant, 0 not
	Domain        int8   // t of formula (4)
	DomainKnown   bool
	DomainSection int8
	DomainClass   int8
	DomainIPC3    int8
	Source        string // one of Sources
	PoolRank      int32  // from 1; 0 when the candidate is not in the topic's pool
}

// Pair is a row of train-*.arrow and valid-*.arrow. A text "" is stored as NULL.
type Pair struct {
	Judged
	QueryTitle, QueryAbstract string
	DocTitle, DocAbstract     string
}

// Text is a row of texts.arrow. A text "" is stored as NULL.
type Text struct {
	Kind     string // KindTopic or KindPatent
	ID       string
	Title    string
	Abstract string
}

// What the id of a [Text] names.
const (
	KindTopic  = "topic"
	KindPatent = "patent"
)

// How a candidate came into the table.
const (
	SourceGold             = "gold"
	SourceRandom           = "random"
	SourcePool             = "pool"
	SourcePoolSameSubclass = "pool-same-subclass"
	SourceDomainBalanced   = "domain-balanced"
)

// Sources are the values of the column source, in the order of its dictionary.
var Sources = []string{SourceGold, SourceRandom, SourcePool, SourcePoolSameSubclass, SourceDomainBalanced}

// The tables.
var (
	Pairs = Table[Pair]{
		Arrow: schemas.Pairs,
		columns: append(judged(func(p *Pair) *Judged { return &p.Judged }),
			textColumn[Pair](func(p *Pair) *string { return &p.QueryTitle }),
			textColumn[Pair](func(p *Pair) *string { return &p.QueryAbstract }),
			textColumn[Pair](func(p *Pair) *string { return &p.DocTitle }),
			textColumn[Pair](func(p *Pair) *string { return &p.DocAbstract }),
		),
	}
	Groups = Table[Judged]{
		Arrow:   schemas.Groups,
		columns: judged(func(j *Judged) *Judged { return j }),
	}
	Texts = Table[Text]{
		Arrow: schemas.Texts,
		columns: []column[Text]{
			wordColumn[Text]{words: []string{KindTopic, KindPatent}, field: func(t *Text) *string { return &t.Kind }},
			stringColumn[Text](func(t *Text) *string { return &t.ID }),
			textColumn[Text](func(t *Text) *string { return &t.Title }),
			textColumn[Text](func(t *Text) *string { return &t.Abstract }),
		},
	}
)

// judged are the columns of the Judged part of a row, in the order of schemas.Groups.
func judged[R any](part func(*R) *Judged) []column[R] {
	return []column[R]{
		stringColumn[R](func(r *R) *string { return &part(r).TopicID }),
		stringColumn[R](func(r *R) *string { return &part(r).QueryID }),
		stringColumn[R](func(r *R) *string { return &part(r).DocID }),
		int8Column[R](func(r *R) *int8 { return &part(r).Label }),
		int8Column[R](func(r *R) *int8 { return &part(r).Domain }),
		boolColumn[R](func(r *R) *bool { return &part(r).DomainKnown }),
		int8Column[R](func(r *R) *int8 { return &part(r).DomainSection }),
		int8Column[R](func(r *R) *int8 { return &part(r).DomainClass }),
		int8Column[R](func(r *R) *int8 { return &part(r).DomainIPC3 }),
		wordColumn[R]{words: Sources, field: func(r *R) *string { return &part(r).Source }},
		int32Column[R](func(r *R) *int32 { return &part(r).PoolRank }),
	}
}
