package sampler

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
)

// family is a family id as a number: the id itself when it is a plain decimal number below 2^63, as DOCDB's are, else
// the first 63 bits of its SHA-256 with the top bit set.
type family uint64

// noFamily is that of a patent whose family is unknown. It equals no family.
const noFamily family = 1<<64 - 1

func familyOf(id string) family {
	if id == "" {
		return noFamily
	}
	if n, err := strconv.ParseUint(id, 10, 63); err == nil && strconv.FormatUint(n, 10) == id {
		return family(n)
	}
	sum := sha256.Sum256([]byte(id))
	if f := family(binary.LittleEndian.Uint64(sum[:]) | 1<<63); f != noFamily {
		return f
	}
	return noFamily - 1
}
