package schemas

import (
	"fmt"
	"strings"
)

// UCID is the name of a published document in its parts: country "EP", number "0050001", kind "A2". A patent has
// no kind.
type UCID struct {
	Country string // two letters, upper case
	Number  string // canonical: EP padded to 7 digits, US without leading zeros after its letter prefix
	Kind    string // "" at patent level
}

// ParseUCID reads EP-0050001-A2 (a document) or EP-0050001 (a patent). It canonicalises the number; numbers stay
// strings, for D0668832 is one.
func ParseUCID(s string) (UCID, error) {
	country, rest, ok := strings.Cut(strings.TrimSpace(s), "-")
	number, kind, _ := strings.Cut(rest, "-")
	if !ok || len(country) != 2 || number == "" || strings.ContainsAny(kind, "- ") {
		return UCID{}, fmt.Errorf("%q is not a document id (EP-1234567-A1) or patent id (EP-1234567)", s)
	}
	country = strings.ToUpper(country)
	return UCID{Country: country, Number: canonicalNumber(country, number), Kind: strings.ToUpper(kind)}, nil
}

// PatentID is the canonical patent id: EP-0050001.
func (u UCID) PatentID() string { return u.Country + "-" + u.Number }

// String is the canonical ucid.
func (u UCID) String() string {
	if u.Kind == "" {
		return u.PatentID()
	}
	return u.PatentID() + "-" + u.Kind
}

func canonicalNumber(country, number string) string {
	number = strings.ToUpper(strings.TrimSpace(number))
	switch country {
	case "EP":
		if n := len(number); n < 7 && isDigits(number) {
			return strings.Repeat("0", 7-n) + number
		}
	case "US":
		letters := strings.IndexFunc(number, func(r rune) bool { return r >= '0' && r <= '9' })
		if letters < 0 {
			return number
		}
		digits := strings.TrimLeft(number[letters:], "0")
		if digits == "" {
			digits = "0"
		}
		return number[:letters] + digits
	}
	return number
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
