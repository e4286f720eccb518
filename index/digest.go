package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// Digest is the hash of a set of patents: the sum of their content hashes. It does not depend on their order, and
// one patent is added or taken away without knowing the others.
type Digest struct{ low, high uint64 }

// Add puts a patent into the set.
func (d *Digest) Add(c Content) {
	low, high := c.words()
	var carry uint64
	d.low, carry = bits.Add64(d.low, low, 0)
	d.high, _ = bits.Add64(d.high, high, carry)
}

// Remove takes a patent out of the set.
func (d *Digest) Remove(c Content) {
	low, high := c.words()
	var borrow uint64
	d.low, borrow = bits.Sub64(d.low, low, 0)
	d.high, _ = bits.Sub64(d.high, high, borrow)
}

// Join adds a set that has no patent in common with d.
func (d *Digest) Join(other Digest) {
	var carry uint64
	d.low, carry = bits.Add64(d.low, other.low, 0)
	d.high, _ = bits.Add64(d.high, other.high, carry)
}

// String is the digest as 32 hexadecimal digits.
func (d Digest) String() string { return fmt.Sprintf("%016x%016x", d.high, d.low) }

// BuildName is the name of an index with this content.
func BuildName(analyzer string, fields []FieldSpec, patents int64, digest Digest) string {
	h := sha256.New()
	fmt.Fprintf(h, "dssdnet index %d\n%s\n", Format, analyzer)
	for _, field := range fields {
		fmt.Fprintln(h, field)
	}
	fmt.Fprintf(h, "%d\n%s\n", patents, digest)
	return hex.EncodeToString(h.Sum(nil)[:8])
}
