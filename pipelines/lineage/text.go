package lineage

import "unicode/utf8"

// mark ends a text that was cut.
const mark = " [cut]"

// cut shortens a text to a number of bytes, the mark included, and not inside a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
