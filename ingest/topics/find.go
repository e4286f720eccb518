package topics

import (
	"io/fs"
	"path"
	"strings"

	"dssdnet/internal/fault"
)

// Forms of a topic set.
const (
	formList   = "topic file"
	formFolder = "folder"
)

// found is the topics of a source before their documents are read.
type found struct {
	form    string
	list    string // the topic file
	entries []entry
	dead    []Dead
}

// find looks for topics: by the topic file if there is one, else every XML file is a topic.
func (c Config) find(s *source) (*found, error) {
	list, documents := s.list, []string(nil)
	if list == "" {
		var err error
		if list, documents, err = c.walk(s); err != nil {
			return nil, err
		}
	}
	if list == "" {
		f := &found{form: formFolder}
		for _, name := range documents {
			f.entries = append(f.entries, entry{file: name})
		}
		return f, nil
	}
	file, err := s.Open(list)
	if err != nil {
		return nil, fault.New(fault.Rejected, "topic file %s cannot be read: %w", list, err)
	}
	defer file.Close()
	f := &found{form: formList, list: list}
	if f.entries, f.dead, err = readList(file, list); err != nil {
		return nil, fault.New(fault.Rejected, "topic file %s: %w", list, err)
	}
	if len(f.entries)+len(f.dead) == 0 {
		return nil, fault.New(fault.Rejected, "%s has no <topic>: give the topic file, the folder of topic documents or an archive of it", c.Path)
	}
	there := f.entries[:0]
	for _, e := range f.entries {
		name, err := locate(s, path.Dir(list), e.file)
		if err != nil {
			f.dead = append(f.dead, Dead{Topic: e.id, File: e.file, Line: e.line, Reason: err.Error()})
			continue
		}
		e.file = name
		there = append(there, e)
	}
	f.entries = there
	return f, nil
}

// walk returns the topic file of a folder, and its XML files.
func (c Config) walk(s *source) (list string, documents []string, err error) {
	var lists []string
	err = fs.WalkDir(s, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && name != "." {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if extension := strings.ToLower(path.Ext(name)); d.IsDir() || extension != ".xml" && extension != ".txt" {
			return nil
		}
		head, err := readHead(s, name)
		switch {
		case err == nil && isList(head):
			lists = append(lists, name)
		case strings.EqualFold(path.Ext(name), ".xml"):
			documents = append(documents, name) // if it cannot be read, that is one dead topic
		}
		return nil
	})
	switch {
	case err != nil:
		return "", nil, fault.New(fault.Rejected, "topics %s cannot be read: %w", c.Path, err)
	case len(lists) > 1:
		return "", nil, fault.New(fault.Rejected, "%s has %d topic files (%s): give the one that is meant", c.Path, len(lists), strings.Join(lists[:min(len(lists), 3)], ", "))
	case len(lists) == 1:
		return lists[0], nil, nil
	case len(documents) == 0:
		return "", nil, fault.New(fault.Rejected, "%s has neither a topic file nor an XML document", c.Path)
	}
	return "", documents, nil
}
