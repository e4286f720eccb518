package trec

import (
	"strings"

	"dssdnet/schemas"
)

// arena keeps the bytes of many short strings in few allocations.
type arena struct{ free []byte }

const arenaBlock = 64 << 10

func (a *arena) keep(s []byte) string {
	if cap(a.free)-len(a.free) < len(s) {
		a.free = make([]byte, 0, max(arenaBlock, len(s)))
	}
	start := len(a.free)
	a.free = append(a.free, s...)
	return view(a.free[start:])
}

// canonical is the patent of an id, and whether that differs from what is written. An id that is no document or patent
// id is its own.
func canonical(id []byte) (patent string, changed bool) {
	if isCanonical(id) || !isPatentLike(id) {
		return "", false
	}
	written := string(id)
	u, err := schemas.ParseUCID(written)
	if err != nil || !strings.ContainsAny(u.Number, "0123456789") || u.Kind != "" && !isKind(u.Kind) {
		return "", false
	}
	patent = u.PatentID()
	return patent, patent != written
}

// isCanonical recognises most canonical ids at a glance: EP-0449433, WO-2004041234. It never says yes to another.
func isCanonical(id []byte) bool {
	const prefix = 3
	if len(id) < prefix+7 || !isUpper(id[0]) || !isUpper(id[1]) || id[2] != '-' || id[0] == 'U' && id[3] == '0' {
		return false
	}
	for _, c := range id[prefix:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// isPatentLike reports whether an id begins with a country: two letters and a hyphen.
func isPatentLike(id []byte) bool {
	return len(id) > 3 && isLetter(id[0]) && isLetter(id[1]) && id[2] == '-'
}

// isKind reports whether s is a kind code: A, A1, B2.
func isKind(s string) bool {
	return len(s) <= 2 && isLetter(s[0]) && (len(s) == 1 || s[1] >= '0' && s[1] <= '9')
}

func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isUpper(c &^ 0x20) }
