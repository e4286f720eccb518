package merge

import (
	"cmp"
	"math"
	"strings"

	"dssdnet/schemas"
)

// newestFirst orders the documents of a patent: negative when a is newer than b. Two documents are never equal.
func newestFirst(a, b *part) int {
	return cmp.Or(
		cmp.Compare(kindLetter(b.Kind), kindLetter(a.Kind)),
		cmp.Compare(kindDigit(b.Kind), kindDigit(a.Kind)),
		strings.Compare(b.Kind, a.Kind),
		cmp.Compare(day(b.PublicationDate), day(a.PublicationDate)),
		strings.Compare(b.UCID, a.UCID),
	)
}

// kindLetter ranks the stage that a kind code stands for: applications (A) are followed by grants (B), and those by
// what amends a grant (C). Every other letter (E reissue, P plant, S design, H, U, T ...) stands on its own number
// and is later than an application.
func kindLetter(kind string) int {
	switch {
	case kind == "":
		return 0
	case kind[0] == 'A':
		return 1
	case kind[0] == 'B':
		return 3
	case kind[0] == 'C':
		return 4
	default:
		return 2
	}
}

// kindDigit is the digit of a kind code, -1 when it has none: a higher one was published later (B2 after B1), and 8
// and 9 are corrections.
func kindDigit(kind string) int {
	if len(kind) < 2 || kind[1] < '0' || kind[1] > '9' {
		return -1
	}
	return int(kind[1] - '0')
}

// day puts a missing date before every other.
func day(d *schemas.Date) int64 {
	if d == nil {
		return math.MinInt64
	}
	return int64(*d)
}

// categoryOrder ranks the category of a citation in a search report. Codes are combined ("PX"): the strongest counts.
func categoryOrder(category string) int {
	category = strings.ToUpper(category)
	switch {
	case category == "":
		return 0
	case len(category) > 4: // a word, not codes
		return 1
	case strings.Contains(category, "X"):
		return 4
	case strings.Contains(category, "Y"):
		return 3
	case strings.Contains(category, "A"):
		return 2
	default:
		return 1
	}
}
