package pipelines

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// fileVersion is the version of the layout of pipeline files.
//
//	1  first
const fileVersion = 1

// file is a pipeline as it is written, its variables filled in.
type file struct {
	path  string // as errors name it
	name  string
	about string
	vars  map[string]string
	steps []declared
}

// declared is a step as it is written.
type declared struct {
	name, stage string
	ifExists    string
	args        []string
	with        []assignment
	line        int
}

// assignment is one setting of a step.
type assignment struct {
	key    string
	values []string
	line   int
}

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_+-]*$`)

// loadFile reads a pipeline file, or one that comes with the program, and fills in its variables.
func loadFile(named string, ws workspace.Dir, set []string) (*file, error) {
	path, data, err := readFile(named)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fault.New(fault.Usage, "pipeline %s: %w", path, err)
	}
	if len(root.Content) == 0 {
		return nil, fault.New(fault.Usage, "pipeline %s is empty", path)
	}
	p := parser{path: path}
	f := p.file(root.Content[0], string(ws), set)
	if p.err != nil {
		return nil, p.err
	}
	return f, nil
}

// readFile prefers a file that exists to a shipped pipeline of the same name.
func readFile(named string) (path string, data []byte, err error) {
	data, err = os.ReadFile(named)
	if err == nil {
		return named, data, nil
	}
	if slices.Contains(Shipped(), named) {
		data, err = shippedFiles.ReadFile(named + ".yaml")
		return named + ".yaml", data, err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fault.New(fault.Usage, "there is no pipeline file %s, and none of this name comes with dssdnet: it has %s", named, strings.Join(Shipped(), ", "))
	}
	return "", nil, fault.New(fault.Usage, "pipeline file: %w", err)
}

// parser turns nodes into a file. The first error counts.
type parser struct {
	path string
	vars map[string]string // nil while they are being read
	err  error
}

func (p *parser) fail(line int, format string, args ...any) {
	if p.err == nil {
		p.err = fault.New(fault.Usage, "%s:%d: %w", p.path, line, fmt.Errorf(format, args...))
	}
}

// fields calls visit for each key of a mapping.
func (p *parser) fields(n *yaml.Node, what string, known []string, visit func(key string, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(n.Line, "%s: want keys with values", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], resolved(n.Content[i+1])
		switch {
		case seen[key.Value]:
			p.fail(key.Line, "%s: key %q stands twice", what, key.Value)
		case known != nil && !slices.Contains(known, key.Value):
			p.fail(key.Line, "%s: unknown key %q; it knows %s", what, key.Value, strings.Join(known, ", "))
		}
		seen[key.Value] = true
		visit(key.Value, value)
	}
}

// resolved follows an alias.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (p *parser) file(n *yaml.Node, ws string, set []string) *file {
	f := &file{path: p.path}
	var version, vars, steps *yaml.Node
	p.fields(n, "pipeline", []string{"version", "name", "about", "vars", "steps"}, func(key string, value *yaml.Node) {
		switch key {
		case "version":
			version = value
		case "name":
			f.name = p.text(value, "name")
		case "about":
			f.about = p.text(value, "about")
		case "vars":
			vars = value
		case "steps":
			steps = value
		}
	})
	switch {
	case version == nil:
		p.fail(n.Line, "the key version is missing: this dssdnet reads version %d", fileVersion)
	case version.Value != fmt.Sprint(fileVersion):
		p.fail(version.Line, "version is %q, this dssdnet reads version %d", version.Value, fileVersion)
	}
	if f.name == "" {
		f.name = strings.TrimSuffix(filepath.Base(p.path), filepath.Ext(p.path))
	}
	if !nameRule.MatchString(f.name) {
		p.fail(n.Line, "name %q is not made of letters, digits, '_', '+' and '-'", f.name)
	}
	p.readVars(vars, ws, set)
	f.vars = p.vars
	if steps == nil || steps.Kind != yaml.SequenceNode || len(steps.Content) == 0 {
		p.fail(n.Line, "there are no steps: want a list of them under the key steps")
		return f
	}
	lines := map[string]int{}
	for _, one := range steps.Content {
		d := p.step(resolved(one))
		if first, twice := lines[d.name]; twice {
			p.fail(d.line, "step %s: a step of this name stands in line %d", d.name, first)
		}
		lines[d.name] = d.line
		f.steps = append(f.steps, d)
	}
	return f
}

func (p *parser) step(n *yaml.Node) declared {
	d := declared{line: n.Line}
	p.fields(n, "step", []string{"step", "stage", "args", "with", "if-exists"}, func(key string, value *yaml.Node) {
		switch key {
		case "step":
			d.name = p.text(value, "step")
		case "stage":
			d.stage = p.text(value, "stage")
		case "if-exists":
			d.ifExists = p.text(value, "if-exists")
		case "args":
			d.args = p.texts(value, "args")
		case "with":
			p.fields(value, "with", nil, func(key string, value *yaml.Node) {
				d.with = append(d.with, assignment{key, p.texts(value, key), value.Line})
			})
		}
	})
	switch {
	case !nameRule.MatchString(d.name):
		p.fail(d.line, "step %q: want a name of letters, digits, '_', '+' and '-'", d.name)
	case d.stage == "":
		p.fail(d.line, "step %s: the key stage is missing", d.name)
	}
	return d
}

// text is a plain value, its variables filled in.
func (p *parser) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode {
		p.fail(n.Line, "%s: want a plain value", what)
		return ""
	}
	return p.expand(n.Value, n.Line)
}

// texts is a plain value or a list of them; null is an empty list.
func (p *parser) texts(n *yaml.Node, what string) []string {
	if n.Kind != yaml.SequenceNode {
		if n.Tag == "!!null" {
			return nil
		}
		return []string{p.text(n, what)}
	}
	all := make([]string, 0, len(n.Content))
	for _, one := range n.Content {
		all = append(all, p.text(resolved(one), what))
	}
	return all
}
