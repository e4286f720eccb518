package synth

// universe is the endless row of patents of a seed. It holds settings and word lists and nothing about any
// patent, so it costs the same for 200 patents and for 2 million; it is safe for concurrent use.
type universe struct {
	seed             int64
	last             int // newest patent: what came out later than it does not exist yet
	crossShare       float64
	hazardShare      float64
	descriptionWords int
	words            *vocabulary
}

func newUniverse(cfg Config) *universe {
	return &universe{
		seed: cfg.Seed, last: cfg.FirstPatent + cfg.Patents - 1,
		crossShare: cfg.CrossSubclassShare, hazardShare: cfg.HazardShare,
		descriptionWords: cfg.DescriptionWords, words: newVocabulary(cfg.Seed),
	}
}

// route is how an application came out, which decides what documents there are and what they hold.
type route uint8

const (
	withReport  route = iota // A1: application and search report together
	reportLater              // A2, and an A3 with the search report later
	euroPCT                  // A1 without any text, for the WO document has it; an A4 with the supplementary report later
)

// patent is what is fixed about one patent. Everything else (documents, citations, texts) follows from it and the
// seed.
type patent struct {
	n          int
	root       int // first patent of its family: n, or the patent this one was divided from
	place      lineage
	subclasses subclassSet
	lang       int // languageEN, languageDE, languageFR
	route      route

	priority  day // of its family; the filing day when nothing is claimed
	filing    day
	published day // of the application

	claimsPriority bool
	unclassified   bool // no document has an IPC symbol
	frontPageOnly  bool // no description and claims in the application
	noAbstract     bool
	shouting       bool // title in capitals
}

// patent returns patent n >= 1.
func (u *universe) patent(n int) patent {
	p := u.undivided(n)
	if root, ok := u.dividedFrom(&p); ok {
		p.root, p.lang, p.route = root.n, root.lang, withReport
		p.priority, p.claimsPriority = root.priority, true // of the parent application, if of nothing else
		r := draw(u.seed, forDivision, uint64(n))
		p.filing = p.published - day(r.between(150, 200))
	}
	p.subclasses = subclassesOf(u.seed, n, p.place)
	return p
}

func (u *universe) undivided(n int) patent {
	r := draw(u.seed, forPatent, uint64(n))
	p := patent{n: n, root: n, place: lineageOf(u.seed, n), published: publishedOn(n)}
	switch x := r.below(100); { // the shares of the CLEF-IP 2010 topics
	case x < 67:
		p.lang = languageEN
	case x < 93:
		p.lang = languageDE
	default:
		p.lang = languageFR
	}
	switch x := r.below(100); {
	case x < 58:
		p.route = withReport
	case x < 87:
		p.route = reportLater
	default:
		p.route = euroPCT
	}
	months := 18 // from priority to publication, by law
	if p.route == euroPCT {
		months = 31
	}
	p.claimsPriority = r.chance(0.85)
	p.priority = p.published - day(months*30+r.between(6, 30))
	p.filing = p.priority
	if p.claimsPriority {
		p.filing += day(r.between(280, 365))
	}
	p.unclassified = r.chance(0.03)
	p.frontPageOnly = r.chance(0.08)
	p.noAbstract = p.route == euroPCT || r.chance(0.03)
	p.shouting = r.chance(0.15)
	return p
}

// divisionShare of all patents could be divisions; those without a parent of the right age are not.
const divisionShare = 0.05

// dividedFrom returns the patent that p is a division of. A division has no divisions.
func (u *universe) dividedFrom(p *patent) (patent, bool) {
	if !u.mayBeDivision(p.n) || p.place.epoch <= firstEpoch {
		return patent{}, false
	}
	place := p.place.ancestor(1)
	place.seat = p.place.seat
	parent := patentAt(u.seed, place)
	age := p.published - publishedOn(parent)
	if u.mayBeDivision(parent) || age < 250 || age > 1800 {
		return patent{}, false
	}
	return u.undivided(parent), true
}

func (u *universe) mayBeDivision(n int) bool {
	r := draw(u.seed, forDivision, uint64(n)|1<<40)
	return r.chance(divisionShare)
}

// document is one publication of a patent.
type document struct {
	kind      string
	ordinal   int // 0 the application, then in order of publication
	published day
	// clock is the place among the applications in the order of publication: a collection up to patent M has the
	// documents with clock <= M.
	clock int
}

const maxDocuments = 4

// documents appends to dst the publications of p, whenever they come out.
func (u *universe) documents(p *patent, dst []document) []document {
	add := func(kind string, published day, clock int) {
		dst = append(dst, document{kind: kind, ordinal: len(dst), published: published, clock: clock})
	}
	r := draw(u.seed, forGrant, uint64(p.n))
	later := func(kind string, published day) {
		bulletin := wednesday(published)
		clock := newestOn(bulletin)
		if before := newestOn(bulletin - 1); before < clock { // anywhere among that day's applications
			clock = before + 1 + r.below(clock-before)
		}
		add(kind, bulletin, clock)
	}
	report := p.published + day(r.between(180, 540))
	switch p.route {
	case withReport:
		add("A1", p.published, p.n)
	case reportLater:
		add("A2", p.published, p.n)
		later("A3", report)
	case euroPCT:
		add("A1", p.published, p.n)
		later("A4", report)
	}
	granted := p.published + day(r.between(600, 2200))
	if r.chance(0.65) {
		later("B1", granted)
		if r.chance(0.03) {
			later("B2", granted+day(r.between(700, 1500)))
		}
	}
	return dst
}

// citesIn is the kind of the document of p that carries its search report.
func (p *patent) citesIn() string { return [...]string{"A1", "A3", "A4"}[p.route] }

// firstKind is the kind of the application's document.
func (p *patent) firstKind() string { return [...]string{"A1", "A2", "A1"}[p.route] }
