package patentxml

import "bytes"

// abstractLabels are what Patent Abstracts of Japan put before the parts of an abstract.
var abstractLabels = [][]byte{
	[]byte("PROBLEM TO BE SOLVED:"), []byte("SOLUTION:"), []byte("PURPOSE:"), []byte("CONSTITUTION:"),
}

var (
	copyrightLabel = []byte("COPYRIGHT:")
	drawingLabel   = []byte("SELECTED DRAWING:")
)

// withoutBoilerplate takes the office's own words out of an abstract, one paragraph per line: a copyright notice to the
// end of its line, a line that names the selected drawing, and the labels above. It works in text.
func withoutBoilerplate(text []byte) []byte {
	if !bytes.Contains(text, []byte(":")) {
		return text
	}
	labelled := labelAt(text) > 0
	out := text[:0]
	for rest := text; len(rest) > 0; {
		var paragraph []byte
		paragraph, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if i := bytes.LastIndex(paragraph, copyrightLabel); i >= 0 && isCopyright(paragraph[i+len(copyrightLabel):]) {
			paragraph = trimRight(paragraph[:i])
		}
		if bytes.HasPrefix(paragraph, drawingLabel) {
			continue
		}
		paragraph = withoutLabels(paragraph, labelled)
		if len(paragraph) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, '\n')
		}
		out = append(out, paragraph...)
	}
	return out
}

// withoutLabels removes a label at the beginning of a paragraph and, with everywhere, at the beginning of its sentences.
func withoutLabels(paragraph []byte, everywhere bool) []byte {
	paragraph = paragraph[labelAt(paragraph):]
	if !everywhere {
		return paragraph
	}
	for i := 2; i < len(paragraph); i++ {
		if paragraph[i-1] == ' ' && (paragraph[i-2] == '.' || paragraph[i-2] == ';') {
			paragraph = append(paragraph[:i], paragraph[i+labelAt(paragraph[i:]):]...)
		}
	}
	return trimRight(paragraph)
}

// labelAt returns the length of the label at the beginning of text with the space behind it, 0 when there is none.
func labelAt(text []byte) int {
	for _, label := range abstractLabels {
		if !bytes.HasPrefix(text, label) {
			continue
		}
		switch n := len(label); {
		case n == len(text):
			return n
		case text[n] == ' ':
			return n + 1
		}
	}
	return 0
}

// isCopyright tells whether what follows "COPYRIGHT:" is the sign: (C) or ©.
func isCopyright(text []byte) bool {
	text = bytes.TrimLeft(text, " ")
	return bytes.HasPrefix(text, []byte("(C)")) || bytes.HasPrefix(text, []byte("©"))
}
