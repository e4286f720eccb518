package synth

import "context"

// shard is the patents that one worker writes in a row.
type shard struct{ first, last int }

const (
	archivePatents   = 2048 // patents of one archive
	treeShardPatents = 128
)

// file is a file of the collection; name is relative to it and has '/' between folders.
type file struct {
	name     string
	modified day
	content  []byte
}

// batch is the part of a universe that a run writes: what came out after patent first-1 and up to patent last.
type batch struct {
	first, last int
	omitted     map[int]bool // topic patents that stay out of the collection
}

// contains reports whether the batch has a document.
func (b *batch) contains(d document) bool { return b.first <= d.clock && d.clock <= b.last }

// writeShard puts the batch's documents of a shard's patents on the shelf. Patents older than the batch give it what
// they published later: their grants and search reports.
func (a *author) writeShard(ctx context.Context, b *batch, s shard, to shelf) (Result, error) {
	count := newResult()
	for n := s.first; n <= s.last; n++ {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		if b.omitted[n] {
			continue
		}
		if err := a.writePatent(b, n, to, &count); err != nil {
			return count, err
		}
	}
	return count, nil
}

func (a *author) writePatent(b *batch, n int, to shelf, count *Result) error {
	p := a.patent(n)
	a.documents = a.universe.documents(&p, a.documents[:0])
	begun, rows := false, 0
	for _, d := range a.documents {
		if !b.contains(d) {
			continue
		}
		if !begun {
			a.begin(p)
			begun = true
		}
		files, h := a.files(d)
		for _, f := range files {
			if err := to.put(f.name, f.modified, f.content); err != nil {
				return err
			}
		}
		a.count(count, d, files, h)
		rows += h.rows
	}
	if rows > 0 {
		count.Patents++
	}
	return nil
}

// files returns the files of a document, with what its hazard did to them and added. The contents are valid until
// the next document.
func (a *author) files(d document) ([]file, hazard) {
	f := file{name: treePath(a.p.n) + ucid(a.p.n, d.kind) + ".xml", modified: d.published, content: a.document(d, true)}
	h, ok := a.hazardOf(a.p.n, d)
	if !ok {
		return []file{f}, clean
	}
	return spoil(h, f, &a.p, d), h
}

func (a *author) count(count *Result, d document, files []file, h hazard) {
	count.Files += len(files) - h.aliens
	for _, f := range files {
		count.Bytes += int64(len(f.content))
	}
	count.Rows += h.rows
	count.Documents += h.rows - h.repeats
	count.DeadLetters += h.deadLetters
	count.Aliens += h.aliens
	count.Kinds[d.kind]++
	count.Languages[languageList[a.p.lang].code]++
	if a.p.unclassified {
		count.Unclassified++
	}
	if d.ordinal > 0 || a.p.noAbstract {
		count.NoAbstract++
	}
	if d.kind == a.p.citesIn() {
		for _, c := range a.citations {
			count.Citations++
			if c.cross {
				count.CrossCitations++
			}
		}
	}
	if h.name != "" {
		sum := count.Hazards[h.name]
		sum.Files += len(files) - h.aliens
		sum.Rows += h.rows
		sum.DeadLetters += h.deadLetters
		sum.Aliens += h.aliens
		count.Hazards[h.name] = sum
	}
}

// treePath is the folder of a patent in the corpus's layout: twelve digits cut 6/2/2/2.
func treePath(n int) string {
	digits := string(appendPadded(nil, n, 12))
	return "EP/" + digits[:6] + "/" + digits[6:8] + "/" + digits[8:10] + "/" + digits[10:] + "/"
}
