package repro

import (
	"fmt"
	"strings"
)

// fill replaces ${name} by its value.
func fill(text string, vars map[string]string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := vars[name]
		if !closed || !known {
			return "", fmt.Errorf("%q: vars has no %q", text, name)
		}
		b.WriteString(value)
		text = after
	}
}

// split cuts a command into words at spaces; quotes of both kinds keep spaces, and mean nothing inside each other.
func split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command %q: a quote %c is not closed", command, quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
