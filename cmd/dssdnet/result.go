package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// printResult writes a stage's result: one JSON object with --json, else a line per value.
func (a *app) printResult(result any) error {
	data, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	if a.global.JSON {
		_, err = fmt.Fprintf(a.stdout, "%s\n", data)
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	root, err := decode(dec, "")
	if err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	for _, n := range root.children {
		if err := n.print(a.stdout, ""); err != nil {
			return err
		}
	}
	return nil
}

// node is a JSON value with its name; an object keeps the order of its fields, a list has unnamed children.
type node struct {
	name     string
	text     string // of a scalar
	children []node
	nested   bool
}

func decode(dec *json.Decoder, name string) (node, error) {
	token, err := dec.Token()
	if err != nil {
		return node{}, err
	}
	n := node{name: strings.ReplaceAll(name, "_", " ")}
	delim, nested := token.(json.Delim)
	if !nested {
		n.text = plainText(token)
		return n, nil
	}
	n.nested = true
	for dec.More() {
		key := ""
		if delim == '{' {
			token, err := dec.Token()
			if err != nil {
				return node{}, err
			}
			key = token.(string)
		}
		child, err := decode(dec, key)
		if err != nil {
			return node{}, err
		}
		if child.nested || child.text != "" {
			n.children = append(n.children, child)
		}
	}
	_, err = dec.Token()
	return n, err
}

// labelWidth is where the values begin.
const labelWidth = 24

// print writes a scalar, or an object of scalars, as one line, and everything else as an indented group.
func (n node) print(w io.Writer, indent string) error {
	if n.nested && len(n.children) == 0 {
		return nil
	}
	if line, ok := n.inline(); ok {
		_, err := fmt.Fprintf(w, "%s%-*s %s\n", indent, labelWidth-len(indent), n.name, line)
		return err
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", indent, n.name); err != nil {
		return err
	}
	for _, c := range n.children {
		if err := c.print(w, indent+"  "); err != nil {
			return err
		}
	}
	return nil
}

// inline is the value as part of a line, if it is short enough for one.
func (n node) inline() (string, bool) {
	if !n.nested {
		return n.text, true
	}
	var parts []string
	for _, c := range n.children {
		if c.nested {
			return "", false
		}
		parts = append(parts, strings.TrimSpace(c.name+" "+c.text))
	}
	line := strings.Join(parts, ", ")
	return line, len(line) <= 100
}

// plainText formats a JSON scalar for people; what is empty needs no line.
func plainText(token json.Token) string {
	switch v := token.(type) {
	case string:
		return v
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return thousands(n)
		}
		x, err := v.Float64()
		if err != nil {
			return v.String()
		}
		if math.Abs(x) >= 1000 {
			return thousands(int64(math.Round(x)))
		}
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return ""
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
