package synth

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// byPopularity lists IPC subclasses, those with the most patents first.
const byPopularity = `A61K G06F H04L H01L A61P A61B G01N C07D H04N C12N A61F H04W G02B C07C B01D B01J C08L B65D
C08G A61M G06Q H01M C07K H05K B29C H04B G03F G11B B60R H01R F16H A23L B41J C09D H02K C08F B32B C08K G01R F02D
H04M C12P C12Q F16K B62D E21B H02J B23K F01N C23C G01S G05B H03K B60K F16L A63B F16D G03G B05D B65G H02M A47J
A61Q C09K F02M B60T H01J G01B B65H A01N D06F C02F F24F F25B H01H H01Q G06T G06K G01D C10G B22D A47B F16C A63F
B24B H03M B23B C09J H01F G09G G07F E05B G01J C22C F02B C11D F03D B21D B60C D21H A47L G08B E04B B60N A01H F01D
B23Q C04B C01B B26D E06B A47C B64C D04H G10L C03C B25J F04B G02F F04D C08J B60L G08G E04F B28B D06M A61L`

// subclasses is the axis on which themes lie: subclasses in the order of the IPC, so that neighbours are related,
// each with a share of the axis that falls with its popularity as Zipf found it (1 / (rank + 4)).
var subclasses = newAxis(strings.Fields(byPopularity))

type axis struct {
	names []string
	ends  []uint64 // names[i] has the axis from ends[i-1] to ends[i], as fractions of 2^32
}

func newAxis(popular []string) axis {
	type share struct {
		name  string
		parts uint64
	}
	const scale = 1 << 40
	var shares []share
	var total uint64
	for rank, name := range popular {
		parts := uint64(scale / (rank + 5))
		shares, total = append(shares, share{name, parts}), total+parts
	}
	slices.SortFunc(shares, func(a, b share) int { return cmp.Compare(a.name, b.name) })
	var a axis
	var sum uint64
	for _, s := range shares {
		sum += s.parts
		a.names, a.ends = append(a.names, s.name), append(a.ends, sum/(total>>20)<<(axisBits-20))
	}
	a.ends[len(a.ends)-1] = 1 << axisBits
	return a
}

// at returns the subclass at a place of the axis.
func (a axis) at(place uint64) int {
	return sort.Search(len(a.ends)-1, func(i int) bool { return place < a.ends[i] })
}

// subclassSet is the subclasses of a patent, the main one first. It is a value, for it is made for every candidate
// of a citation.
type subclassSet struct {
	items [3]uint8
	n     int
}

func (s *subclassSet) add(subclass int) {
	if s.n < len(s.items) && !slices.Contains(s.items[:s.n], uint8(subclass)) {
		s.items[s.n] = uint8(subclass)
		s.n++
	}
}

func (s subclassSet) main() int { return int(s.items[0]) }

func (s subclassSet) overlaps(other subclassSet) bool {
	for _, subclass := range s.items[:s.n] {
		if slices.Contains(other.items[:other.n], subclass) {
			return true
		}
	}
	return false
}

// subclassesOf returns the subclasses of patent n at l. Beside its own a patent often carries the subclass its
// theme came from, and sometimes a neighbour that the whole theme shares.
func subclassesOf(seed int64, n int, l lineage) subclassSet {
	var set subclassSet
	r := draw(seed, forSubclasses, uint64(n))
	set.add(subclasses.at(l.axis()))
	for generation := 1; generation <= 2 && l.epoch-generation >= firstEpoch; generation++ {
		if r.chance(0.6) {
			set.add(subclasses.at(l.ancestor(generation).axis()))
		}
	}
	if r.chance(0.3) {
		theme := draw(seed, forSubclasses, 1<<40|l.axis())
		set.add((set.main() + 1 + theme.below(3)) % len(subclasses.names))
	}
	return set
}
