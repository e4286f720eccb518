package pipelines

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"dssdnet/internal/fault"
)

// workspaceVar is a variable that every file has.
const workspaceVar = "workspace"

// readVars reads the variables, of which each may use those before it. set replaces values.
func (p *parser) readVars(n *yaml.Node, ws string, set []string) {
	given, err := parseSet(set)
	if err != nil && p.err == nil {
		p.err = err
	}
	p.vars = map[string]string{workspaceVar: ws}
	if n != nil {
		p.fields(n, "vars", nil, func(name string, value *yaml.Node) {
			text, isSet := given[name]
			switch {
			case name == workspaceVar || !nameRule.MatchString(name):
				p.fail(value.Line, "vars: %q cannot be the name of a variable", name)
			case isSet:
				p.vars[name] = text
			case value.Tag == "!!null":
				p.fail(value.Line, "vars: %s has no value: give one with --set %s=VALUE", name, name)
			default:
				p.vars[name] = p.text(value, name)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := p.vars[name]; (!known || name == workspaceVar) && p.err == nil {
			p.err = fault.New(fault.Usage, "--set %s: the pipeline %s has no such variable; it has %s", name, p.path, p.names())
		}
	}
}

func (p *parser) names() string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(p.vars)), func(name string) bool { return name == workspaceVar })
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// parseSet reads NAME=VALUE. A flag's value is split at commas, so a part without "=" goes on with the value before it:
// seeds=1,2,3.
func parseSet(set []string) (map[string]string, error) {
	given := map[string]string{}
	last := ""
	for _, text := range set {
		name, value, ok := strings.Cut(text, "=")
		switch {
		case ok && nameRule.MatchString(name):
			given[name], last = value, name
		case last != "":
			given[last] += "," + text
		default:
			return nil, fault.New(fault.Usage, "--set %q: want NAME=VALUE", text)
		}
	}
	return given, nil
}

var varRule = regexp.MustCompile(`\$\$|\$\{[^}]*\}?`)

// expand fills ${name} in; $$ is a dollar sign.
func (p *parser) expand(text string, line int) string {
	return varRule.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		name := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		value, known := p.vars[name]
		if !known {
			p.fail(line, "%s: there is no variable %q here; there are %s and %s", found, name, p.names(), workspaceVar)
		}
		return value
	})
}
