package patentxml

import "strings"

// citedUCID is the id of a cited document of which a file tells the parts, in the spelling of ucids: US 2007/0204872 A1
// is US-20070204872-A1. It returns "" when the parts name no published document.
func citedUCID(country, number, kind string) string {
	country = strings.ToUpper(country)
	if len(country) != 2 || !isLetter(country[0]) || !isLetter(country[1]) {
		return ""
	}
	number = documentNumber(country, number)
	if number == "" {
		return ""
	}
	id := country + "-" + number
	if isKind(kind) {
		id += "-" + strings.ToUpper(kind)
	}
	return id
}

// documentNumber writes a publication number as ucids do: without spaces and separators, the year of a WO document with
// four digits (95/34526 is 1995034526), a US application with its seven digits (2007 204 872 is 20070204872), a Japanese
// one with six (2007-88222 is 2007088222). It returns "" for what is no number of a publication: 11/123,456 is a US
// filing.
func documentNumber(country, number string) string {
	number = strings.TrimLeftFunc(strings.ToUpper(number), isPunctuation)
	for strings.HasPrefix(number, country) {
		number = strings.TrimLeftFunc(number[len(country):], isPunctuation)
	}
	year, serial := "", onlyAlphanumeric(number)
	if i := strings.IndexAny(number, "/-"); i >= 0 {
		year, serial = onlyAlphanumeric(number[:i]), onlyAlphanumeric(number[i+1:])
	}
	whole := year + serial
	if !strings.ContainsAny(whole, "0123456789") {
		return ""
	}
	if !isNumber(whole) { // RE36154
		return whole
	}
	switch country {
	case "WO":
		return numberOfWO(year, serial)
	case "US":
		return numberOfUS(year, serial)
	case "JP":
		if isYear(year) && serial != "" {
			return year + zeros(serial, 6)
		}
	}
	return whole
}

// numberOfWO reads 2004/045320, 03/25307, 0325307 and 20/04045320, whose separator is misplaced. PCT publications have a
// year and a serial number of five, later six digits.
func numberOfWO(year, serial string) string {
	whole := year + serial
	switch {
	case isYear(year):
	case len(whole) == 10 && isYear(whole[:4]):
		year, serial = whole[:4], whole[4:]
	case len(year) == 2:
		year = fullYear(year)
	case year == "" && (len(whole) == 7 || len(whole) == 8):
		year, serial = fullYear(whole[:2]), whole[2:]
	default:
		return ""
	}
	if serial == "" || len(serial) > 6 {
		return ""
	}
	return year + zeros(serial, 6)
}

// numberOfUS reads 5793966 and 2007/0204872. Filings are no publications: 11/123,456, and the eight digits from 20,000,000
// on, which no patent has yet reached, but provisional filings (62454417) have.
func numberOfUS(year, serial string) string {
	whole := year + serial
	switch {
	case isYear(year) && serial != "":
		return year + zeros(serial, 7)
	case len(year) == 2, len(whole) == 8 && whole[0] >= '2':
		return ""
	case len(whole) == 10 && isYear(whole[:4]):
		return whole[:4] + zeros(whole[4:], 7)
	}
	return whole
}

// onlyAlphanumeric leaves out spaces and punctuation.
func onlyAlphanumeric(s string) string {
	return strings.Map(func(r rune) rune {
		if isPunctuation(r) {
			return -1
		}
		return r
	}, s)
}

// isPunctuation is true for all but digits and capitals.
func isPunctuation(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' }

func isNumber(s string) bool { return s != "" && digits([]byte(s)) == len(s) }

func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// fullYear completes a year of the PCT, whose first publications are of 1978.
func fullYear(year string) string {
	if year >= "78" {
		return "19" + year
	}
	return "20" + year
}

func zeros(s string, width int) string {
	if n := width - len(s); n > 0 {
		return strings.Repeat("0", n) + s
	}
	return s
}

// isKind tells whether s is a kind code: a letter, and a digit or not.
func isKind(s string) bool {
	return (len(s) == 1 || len(s) == 2 && isDigit(s[1])) && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z'
}
