package merge

import (
	"fmt"
	"sort"
	"strings"
)

// fileRange is one file of patents/: the consecutive patent ids from the node First to the node Last of the tree of
// ids, each node a prefix of the ids in it. The whole collection in one file has "" for both.
type fileRange struct {
	First     string `json:"first"`
	Last      string `json:"last"`
	Patents   int64  `json:"patents"`
	TextBytes int64  `json:"text_bytes"` // text of the documents behind it

	touched bool // holds patents to be made anew
}

// name is the file's name. What is no letter, digit or hyphen of a patent id is written as %XX.
func (r fileRange) name() string {
	var b strings.Builder
	b.WriteString("patents")
	if r.First != "" {
		b.WriteByte('-')
	}
	for i := range len(r.First) {
		c := r.First[i]
		if c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	b.WriteString(".parquet")
	return b.String()
}

// same reports whether two files hold the same patents, given that r has no touched patent.
func (r fileRange) same(old fileRange) bool {
	return r.First == old.First && r.Last == old.Last && r.Patents == old.Patents && r.TextBytes == old.TextBytes
}

// locate returns the index of the range that an id lies in. Ranges tile all ids: each reaches to the next one's
// First, and the first range begins with the least id.
func locate(ranges []fileRange, id string) int {
	return max(0, sort.Search(len(ranges), func(i int) bool { return ranges[i].First > id })-1)
}

// layout cuts a sorted sequence of patents into ranges of at most limit bytes of text. It holds the branch of the
// tree of ids that the last patent lies on.
type layout struct {
	limit  int64
	key    string // of the last patent
	branch []node // branch[d] is the node of key[:d]
}

// node is a node of the tree of ids whose patents are still being added.
type node struct {
	fileRange
	children []child
}

// child is a finished range below a node. An open one may still be united with its neighbours.
type child struct {
	fileRange
	open bool
}

func newLayout(limit int64) *layout { return &layout{limit: limit, branch: make([]node, 1)} }

// add takes the next patent, greater than all before it.
func (l *layout) add(id string, textBytes int64, touched bool) {
	key := id + "\x00" // so that no patent is a prefix of another
	common := 0
	for common < len(key) && common < len(l.key) && key[common] == l.key[common] {
		common++
	}
	l.closeBelow(common)
	for d := common + 1; d <= len(key); d++ {
		prefix := strings.TrimSuffix(key[:d], "\x00")
		l.branch = append(l.branch, node{fileRange: fileRange{First: prefix, Last: prefix}})
	}
	leaf := &l.branch[len(l.branch)-1]
	leaf.Patents, leaf.TextBytes, leaf.touched = 1, textBytes, touched
	l.key = key
}

// ranges ends the sequence. There is always at least one range.
func (l *layout) ranges() []fileRange {
	l.closeBelow(0)
	var ranges []fileRange
	for _, c := range l.finish(l.branch[0]) {
		ranges = append(ranges, c.fileRange)
	}
	return ranges
}

// closeBelow finishes the nodes of the branch that are deeper than depth.
func (l *layout) closeBelow(depth int) {
	for len(l.branch) > depth+1 {
		last := len(l.branch) - 1
		closed, parent := l.branch[last], &l.branch[last-1]
		l.branch = l.branch[:last]
		parent.Patents += closed.Patents
		parent.TextBytes += closed.TextBytes
		parent.touched = parent.touched || closed.touched
		parent.children = append(parent.children, l.finish(closed)...)
	}
}

// finish turns a complete node into ranges: one when it fits, else those of its children with small neighbours united.
func (l *layout) finish(n node) []child {
	if n.TextBytes <= l.limit || len(n.children) == 0 {
		return []child{{fileRange: n.fileRange, open: true}}
	}
	var united []child
	for _, c := range n.children {
		if k := len(united) - 1; k >= 0 && c.open && united[k].open && united[k].TextBytes+c.TextBytes <= l.limit {
			u := &united[k].fileRange
			u.Last = c.Last
			u.Patents += c.Patents
			u.TextBytes += c.TextBytes
			u.touched = u.touched || c.touched
			continue
		}
		united = append(united, c)
	}
	for i := range united {
		united[i].open = false
	}
	return united
}
