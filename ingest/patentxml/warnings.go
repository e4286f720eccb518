package patentxml

import (
	"fmt"
	"slices"
	"strings"
)

// maxWarnings bounds the warnings of one row: a document that is wrong in a hundred places says so in twenty.
const maxWarnings = 20

// warnings collects what was repaired or left out in one document. Repairs that come in numbers are counted and
// reported once.
type warnings struct {
	lines           []string
	controls        int // control characters replaced by spaces
	unknownEntities int
	unknownNames    []string // the first few names
	badSymbols      int
	firstSymbol     string
	badCitations    int
	firstCitation   string
}

func (w *warnings) reset() { *w = warnings{lines: nil, unknownNames: w.unknownNames[:0]} }

func (w *warnings) add(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *warnings) unknownEntity(name string) {
	w.unknownEntities++
	if len(w.unknownNames) < 5 && !slices.Contains(w.unknownNames, name) {
		w.unknownNames = append(w.unknownNames, name)
	}
}

func (w *warnings) badSymbol(code []byte) {
	if w.badSymbols++; w.badSymbols == 1 {
		w.firstSymbol = string(code[:min(len(code), 60)])
	}
}

func (w *warnings) badCitation(ucid string) {
	if w.badCitations++; w.badCitations == 1 {
		w.firstCitation = ucid[:min(len(ucid), 60)]
	}
}

// list returns the lines of the row, nil when the document was flawless.
func (w *warnings) list() []string {
	lines := w.lines
	if w.controls > 0 {
		lines = append(lines, fmt.Sprintf("%d control characters replaced by spaces", w.controls))
	}
	if w.unknownEntities > 0 {
		lines = append(lines, fmt.Sprintf("%d references to unknown entities replaced by U+FFFD: %s",
			w.unknownEntities, strings.Join(w.unknownNames, " ")))
	}
	if w.badSymbols > 0 {
		lines = append(lines, fmt.Sprintf("%d unreadable classification codes left out, the first: %q", w.badSymbols, w.firstSymbol))
	}
	if w.badCitations > 0 {
		lines = append(lines, fmt.Sprintf("%d citations without a readable document id left out, the first: %q",
			w.badCitations, w.firstCitation))
	}
	if len(lines) > maxWarnings {
		more := len(lines) - maxWarnings + 1
		lines = append(lines[:maxWarnings-1:maxWarnings-1], fmt.Sprintf("and %d more warnings", more))
	}
	return lines
}
