package query

import (
	"errors"
	"strings"
)

// single returns the one statement in sql without the semicolon that ends it. Semicolons in strings, quoted names and
// comments end nothing.
func single(sql string) (string, error) {
	end := -1 // the semicolon that ended the statement
	for i := 0; i < len(sql); {
		n, blank := token(sql[i:])
		switch {
		case sql[i] == ';' && end < 0:
			end = i
		case end >= 0 && !blank && sql[i] != ';':
			return "", errors.New("more than one statement: give one at a time")
		}
		i += n
	}
	if end >= 0 {
		sql = sql[:end]
	}
	return sql, nil
}

// token returns the length of the string, quoted name, comment or character that s begins with, and whether it is a
// comment or white space.
func token(s string) (length int, blank bool) {
	switch {
	case strings.HasPrefix(s, "--"):
		return through(s, 2, "\n"), true
	case strings.HasPrefix(s, "/*"):
		return through(s, 2, "*/"), true
	case s[0] == '\'' || s[0] == '"':
		// A doubled quote is two strings side by side: the end is the same.
		return through(s, 1, s[:1]), false
	case s[0] == '$':
		if tag, ok := dollarTag(s); ok {
			return through(s, len(tag), tag), false
		}
	}
	return 1, strings.ContainsRune(" \t\r\n\f\v", rune(s[0]))
}

// through returns the length of s up to and with the next end after from, or all of it.
func through(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// dollarTag returns the opening $tag$ of a dollar-quoted string.
func dollarTag(s string) (string, bool) {
	for i := 1; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '$':
			return s[:i+1], true
		case c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 1 || c < '0' || c > '9'):
			return "", false
		}
	}
	return "", false
}
