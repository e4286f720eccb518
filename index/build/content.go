package build

import (
	"crypto/sha256"
	"encoding/binary"

	"dssdnet/index"
)

// hasher computes content hashes. It serves one goroutine.
type hasher struct{ buf []byte }

// content hashes everything of p that goes into the index.
func (h *hasher) content(p *patent) index.Content {
	h.buf = h.buf[:0]
	h.text(p.id)
	h.text(p.family)
	if p.published == nil {
		h.buf = append(h.buf, 0)
	} else {
		h.buf = binary.AppendVarint(append(h.buf, 1), int64(*p.published))
	}
	h.texts(p.subclasses)
	h.texts(p.texts)
	sum := sha256.Sum256(h.buf)
	var c index.Content
	copy(c[:], sum[:])
	return c
}

func (h *hasher) text(s string) {
	h.buf = append(binary.AppendUvarint(h.buf, uint64(len(s))), s...)
}

func (h *hasher) texts(list []string) {
	h.buf = binary.AppendUvarint(h.buf, uint64(len(list)))
	for _, s := range list {
		h.text(s)
	}
}
