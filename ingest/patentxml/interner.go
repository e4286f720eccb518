package patentxml

// interner keeps one string of each short value that documents repeat: codes, languages, kinds, dates.
type interner struct{ known map[string]string }

const (
	maxInterned      = 1 << 14
	maxInternedBytes = 32
)

func newInterner() *interner { return &interner{known: make(map[string]string)} }

// of returns b as a string.
func (n *interner) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := n.known[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(b) <= maxInternedBytes {
		if len(n.known) >= maxInterned {
			clear(n.known)
		}
		n.known[s] = s
	}
	return s
}
