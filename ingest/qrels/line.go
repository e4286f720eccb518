package qrels

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"dssdnet/schemas"
)

// form is how a line lays out a judgement.
type form int

const (
	trec form = iota + 1 // topic, iteration, document, grade
	tabs                 // topic, document, grade
)

func (f form) String() string {
	if f == trec {
		return "topic, iteration, id, grade"
	}
	return "topic, id, grade"
}

// judgement is one line.
type judgement struct {
	topic string
	id    schemas.UCID
	grade int32
}

// parseLine reads a line in whichever form it has.
func parseLine(line string) (judgement, form, error) {
	fields := strings.Fields(line)
	if n := len(fields); n > 3 && isLanguage(fields[n-1]) {
		fields = fields[:n-1]
	}
	switch len(fields) {
	case 3:
		j, err := newJudgement(fields[0], fields[1], fields[2])
		return j, tabs, err
	case 4:
		if !isIteration(fields[1]) {
			return judgement{}, 0, fmt.Errorf("4 columns whose second, %.60q, is no iteration (0): neither \"topic 0 id grade\" nor \"topic id grade language\"", fields[1])
		}
		j, err := newJudgement(fields[0], fields[2], fields[3])
		return j, trec, err
	default:
		return judgement{}, 0, fmt.Errorf("%d columns: neither \"topic 0 id grade\" nor \"topic id grade\", with or without a language", len(fields))
	}
}

func newJudgement(topic, id, grade string) (judgement, error) {
	u, err := schemas.ParseUCID(id)
	if err != nil {
		return judgement{}, fmt.Errorf("%.60q is not a document or patent id", id)
	}
	n, err := strconv.ParseInt(grade, 10, 32)
	if errors.Is(err, strconv.ErrRange) {
		return judgement{}, fmt.Errorf("grade %.60q is out of range", grade)
	}
	if err != nil {
		return judgement{}, fmt.Errorf("grade %.60q is not a whole number", grade)
	}
	return judgement{topic: topic, id: u, grade: int32(n)}, nil
}

// isLanguage reports whether a column is a language code: EN, DE, FR.
func isLanguage(s string) bool {
	return len(s) == 2 && isLetter(s[0]) && isLetter(s[1])
}

// isIteration reports whether a column is the second of a TREC qrels file: 0 mostly, Q0 by mistake.
func isIteration(s string) bool {
	_, err := strconv.ParseUint(strings.TrimPrefix(s, "Q"), 10, 31)
	return err == nil
}

// isImpossible reports whether no office gives the id: an EP number that has not 7 digits, a WO number that has not
// 10, a kind code of theirs without its digit.
func isImpossible(u schemas.UCID) bool {
	digits := map[string]int{"EP": 7, "WO": 10}[u.Country]
	if digits == 0 {
		return false
	}
	if len(u.Number) != digits || strings.Trim(u.Number, "0123456789") != "" {
		return true
	}
	return u.Kind != "" && (len(u.Kind) != 2 || !isLetter(u.Kind[0]) || u.Kind[1] < '0' || u.Kind[1] > '9')
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
