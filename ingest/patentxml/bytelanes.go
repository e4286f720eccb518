package patentxml

// Eight bytes at a time, as the lanes of a number. A result has the high bit of each lane that is true and no other bit.
const (
	lanes    = 0x0101010101010101
	highBits = 0x8080808080808080
)

// lanesBelow tells the lanes of x that are less than limit, which is at most 0x80.
func lanesBelow(x uint64, limit byte) uint64 {
	atLeast := x&^highBits + lanes*uint64(0x80-limit)
	return ^(atLeast | x) & highBits
}

// lanesEqual tells the lanes of x that are c, an ASCII byte.
func lanesEqual(x uint64, c byte) uint64 { return lanesBelow(x^lanes*uint64(c), 1) }
