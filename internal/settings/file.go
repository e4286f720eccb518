package settings

import (
	"fmt"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"
)

// File is a config file: settings of the program at the top level, settings of a stage below its name.
//
//	workspace: /data/patents
//	brokers: [kafka-1:9093, kafka-2:9093]
//	consume:
//	  max-dead-share: 0.01
type File struct {
	path    string
	entries map[string]entry // "section.key", or "key" at the top level
}

type entry struct {
	values []string
	line   int
}

// LoadFile reads a config file and refuses every key that is no setting of sections. An empty path is an empty
// file.
func LoadFile(path string, sections []*Section) (*File, error) {
	file := &File{path: path, entries: map[string]entry{}}
	if path == "" {
		return file, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("config file: %w", err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("config file %s: %w", path, err)
	}
	if len(root.Content) == 0 {
		return file, nil
	}
	return file, file.read(root.Content[0], "", sections)
}

func (f *File) read(node *yaml.Node, section string, sections []*Section) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: want keys with values", f.path, node.Line)
	}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if section == "" && find(sections, key.Value) != nil && key.Value != "" {
			if err := f.read(value, key.Value, sections); err != nil {
				return err
			}
			continue
		}
		in := find(sections, section)
		if in == nil || !in.has(key.Value) {
			return fmt.Errorf("%s:%d: unknown key %q%s; `dssdnet config print` lists all keys", f.path, key.Line, key.Value, where(section))
		}
		name := qualified(section, key.Value)
		if _, twice := f.entries[name]; twice {
			return fmt.Errorf("%s:%d: key %q stands twice%s", f.path, key.Line, key.Value, where(section))
		}
		values, err := scalars(value)
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", f.path, value.Line, key.Value, err)
		}
		f.entries[name] = entry{values, key.Line}
	}
	return nil
}

func scalars(node *yaml.Node) ([]string, error) {
	switch node.Kind {
	case yaml.ScalarNode:
		return []string{node.Value}, nil
	case yaml.SequenceNode:
		var all []string
		for _, n := range node.Content {
			if n.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("want a list of plain values")
			}
			all = append(all, n.Value)
		}
		return all, nil
	}
	return nil, fmt.Errorf("want a value or a list of values")
}

func find(sections []*Section, name string) *Section {
	i := slices.IndexFunc(sections, func(s *Section) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return sections[i]
}

func where(section string) string {
	if section == "" {
		return " at the top level"
	}
	return " in section " + section
}

func qualified(section, key string) string {
	if section == "" {
		return key
	}
	return section + "." + key
}

func (f *File) lookup(section, key string) (entry, bool) {
	if f == nil {
		return entry{}, false
	}
	e, ok := f.entries[qualified(section, key)]
	return e, ok
}
