package topics

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// entry is a topic before its document is read.
type entry struct {
	id   string // "" in the 2011 form: the document's ucid
	file string // path of the document in the source
	line int    // of the topic file, 0 in the 2011 form
}

// maxLine is the longest line of a topic file.
const maxLine = 1 << 20

// tagged is an opening or closing tag and the text up to the next tag or the end of the line.
var tagged = regexp.MustCompile(`<\s*(/?)\s*([A-Za-z][\w-]*)\s*>([^<]*)`)

// readList reads a topic file of the 2010 form. Closing tags other than </topic> are not looked at: the organisers'
// own do not always match. A block without an id or a file is dead.
func readList(r io.Reader, name string) (entries []entry, dead []Dead, err error) {
	list := listReader{name: name, seen: map[string]int{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	n := 0
	for lines.Scan() {
		n++
		for _, tag := range tagged.FindAllStringSubmatch(lines.Text(), -1) {
			list.tag(n, tag[1] != "", strings.ToLower(tag[2]), strings.TrimSpace(tag[3]))
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, nil, fmt.Errorf("line %d has more than %d bytes: it is no topic file", n+1, maxLine)
	} else if err != nil {
		return nil, nil, err
	}
	list.end()
	return list.entries, list.dead, nil
}

type listReader struct {
	name    string
	open    *entry
	seen    map[string]int // line of each id
	entries []entry
	dead    []Dead
}

func (l *listReader) tag(line int, closing bool, name, text string) {
	switch {
	case name == "topic":
		l.end()
		if !closing {
			l.open = &entry{line: line}
		}
	case closing || l.open == nil:
	case name == "num":
		l.open.id = text
	case name == "file":
		l.open.file = strings.ReplaceAll(text, `\`, "/")
	}
}

// end finishes the topic that is open.
func (l *listReader) end() {
	e := l.open
	l.open = nil
	if e == nil {
		return
	}
	reason := ""
	switch {
	case e.id == "":
		reason = "the topic has no <num>"
	case e.file == "":
		reason = "the topic has no <file>"
	case l.seen[e.id] > 0:
		reason = fmt.Sprintf("the topic stands on line %d already", l.seen[e.id])
	}
	if reason != "" {
		l.dead = append(l.dead, Dead{Topic: e.id, File: l.name, Line: e.line, Reason: reason})
		return
	}
	l.seen[e.id] = e.line
	l.entries = append(l.entries, *e)
}

// isList reports whether the first bytes of a file are those of a topic file.
func isList(head []byte) bool {
	return listHead.Match(head) && !documentHead.Match(head)
}

var (
	listHead     = regexp.MustCompile(`(?i)<\s*topic\s*>`)
	documentHead = regexp.MustCompile(`<([\w-]+:)?[\w-]*patent[\w-]*[\s>]`)
)

// locate finds the document that a topic file in folder dir names.
func locate(source fs.FS, dir, file string) (string, error) {
	for _, candidate := range []string{path.Join(dir, file), path.Join(dir, "files", file), path.Join(dir, "files", path.Base(file))} {
		if !fs.ValidPath(candidate) {
			return "", errors.New("<file> leads out of the topic folder")
		}
		if info, err := fs.Stat(source, candidate); err == nil && info.Mode().IsRegular() {
			return candidate, nil
		}
	}
	return "", errors.New("the file does not exist")
}
