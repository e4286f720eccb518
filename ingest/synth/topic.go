package synth

import (
	"context"
	"fmt"
	"slices"

	"dssdnet/internal/fault"
)

const (
	topicPatents = 6 // patents for each topic, at least
	topicRange   = 3 // topics are among the newest third of the patents, which no topic can cite
)

// splits are the topic sets, the oldest topics first, with the share of each in tenths. Test topics are the newest.
var splits = [...]struct {
	name   string
	tenths int
}{{"train", 8}, {"valid", 1}, {"test", 1}}

// gold is a row of the qrels.
type gold struct {
	n     int
	grade int // 2 for categories X and Y, else 1
}

// golds returns the patents that p cites and that can be found in a collection up to the newest patent.
func (a *author) golds(p *patent) []gold {
	var golds []gold
	for _, c := range a.universe.citations(p, nil) {
		if !a.findable(&c.patent) {
			continue
		}
		g := gold{n: c.patent.n, grade: 1}
		if c.category != 'A' {
			g.grade = 2
		}
		golds = append(golds, g)
	}
	slices.SortFunc(golds, func(x, y gold) int { return x.n - y.n })
	return golds
}

// findable reports whether some published document of p is not spoiled beyond reading.
func (a *author) findable(p *patent) bool {
	for _, d := range a.universe.documents(p, nil) {
		if d.clock > a.last {
			break
		}
		if h, ok := a.hazardOf(p.n, d); !ok || h.rows > 0 {
			return true
		}
	}
	return false
}

// canBeTopic reports whether patent n is a whole application with golds. Divisions are not topics: the patent
// they were divided from may be one, and a family must not be on both sides of a split.
func (a *author) canBeTopic(n int) bool {
	p := a.patent(n)
	return p.root == p.n && p.route != euroPCT && !p.frontPageOnly && !p.noAbstract && len(a.golds(&p)) > 0
}

// chooseTopics returns the numbers of topic patents, spread evenly over the newest third of the batch, in order.
func (a *author) chooseTopics(ctx context.Context, cfg Config) ([]int, error) {
	pool := cfg.Patents / topicRange
	start := a.last - pool + 1
	r := draw(cfg.Seed, forTopics, uint64(a.last))
	chosen := map[int]bool{}
	take := func(n int) bool {
		if chosen[n] || !a.canBeTopic(n) {
			return false
		}
		chosen[n] = true
		return true
	}
	for i := range cfg.Topics { // one of each stretch
		from, to := start+pool*i/cfg.Topics, start+pool*(i+1)/cfg.Topics
		offset := r.below(to - from)
		for j := range to - from {
			if take(from + (offset+j)%(to-from)) {
				break
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for n := a.last; n >= start && len(chosen) < cfg.Topics; n-- { // stretches without one
		take(n)
	}
	if len(chosen) < cfg.Topics {
		return nil, fault.New(fault.Usage, "only %d of the newest %d patents can be topics, %d are wanted: lower --topics or raise --patents",
			len(chosen), pool, cfg.Topics)
	}
	topics := make([]int, 0, len(chosen))
	for n := range chosen {
		topics = append(topics, n)
	}
	slices.Sort(topics)
	return topics, nil
}

// writeTopics writes the topic sets with their documents and qrels.
func (a *author) writeTopics(topics []int, to shelf) (map[string]TopicCount, error) {
	counts, from := map[string]TopicCount{}, 0
	tenths := 0
	for _, split := range splits {
		tenths += split.tenths
		end := len(topics) * tenths / 10
		if end > from {
			count, err := a.writeTopicSet(split.name, topics[from:end], to)
			if err != nil {
				return nil, err
			}
			counts[split.name] = count
		}
		from = end
	}
	return counts, nil
}

func (a *author) writeTopicSet(name string, topics []int, to shelf) (TopicCount, error) {
	var list, qrels []byte
	count := TopicCount{Topics: len(topics)}
	folder := "topics-" + name + "/"
	for _, n := range topics {
		p := a.patent(n)
		a.begin(p)
		application := a.documents[0]
		path := fmt.Sprintf("files/PAC-%d_%s.xml", n, ucid(n, application.kind))
		if err := to.put(folder+path, application.published, a.document(application, false)); err != nil {
			return count, err
		}
		list = fmt.Appendf(list, "<topic>\n<num>PAC-%d</num>\n<narr>Find all patents in the collection that potentially invalidate patent application EP%s.</narr>\n<file>%s</file>\n</topic>\n",
			n, number(n), path)
		for _, g := range a.golds(&p) {
			qrels = fmt.Appendf(qrels, "PAC-%d 0 %s %d\n", n, patentID(g.n), g.grade)
			count.Golds++
			if g.grade == 2 {
				count.Highly++
			}
		}
	}
	if err := to.put(folder+"PAC_topics.xml", publishedOn(a.last), list); err != nil {
		return count, err
	}
	return count, to.put("qrels-"+name+".txt", publishedOn(a.last), qrels)
}
