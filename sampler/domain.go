package sampler

import (
	"fmt"
	"sync"

	"dssdnet/internal/fault"
)

// domain is the domain label of a pair at every level of the IPC: which levels of the two sets of subclasses overlap.
// At subclass level it is t of formula (4).
type domain uint8

const (
	sameSubclass domain = 1 << iota // A61K and A61K: t = 1
	sameClass                       // A61: also DAPFAM's IPC3
	sameSection                     // A
	domainKnown                     // both have an IPC code
)

func (d domain) has(level domain) bool { return d&level != 0 }

// bit is the label of a level, 1 or 0.
func (d domain) bit(level domain) int8 {
	if d.has(level) {
		return 1
	}
	return 0
}

// code stands for an IPC subclass.
type code uint16

const maxCodes = 1 << 16

// codes numbers the subclasses that occur. add is safe for concurrent use, the rest once everything is added.
type codes struct {
	mu       sync.Mutex
	byName   map[string]code
	names    []string
	classes  []code // by subclass: the lowest code of its class
	sections []code // by subclass: the lowest code of its section
	first    map[string]code
}

func newCodes() *codes { return &codes{byName: map[string]code{}, first: map[string]code{}} }

// add appends the codes of names to list.
func (c *codes) add(list []code, names []string) ([]code, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		n, ok := c.byName[name]
		if !ok {
			if len(c.names) == maxCodes {
				return nil, fault.New(fault.Rejected, "more than %d different IPC subclasses occur (the IPC has about 650), the last is %q: check ipc_subclasses of patents/", maxCodes, name)
			}
			n = code(len(c.names))
			name = string([]byte(name)) // the row that it came from is reused
			c.byName[name] = n
			c.names = append(c.names, name)
			c.classes = append(c.classes, c.firstOf(prefix(name, 3), n))
			c.sections = append(c.sections, c.firstOf(prefix(name, 1), n))
		}
		list = append(list, n)
	}
	return list, nil
}

func (c *codes) firstOf(name string, n code) code {
	if first, ok := c.first[name]; ok {
		return first
	}
	c.first[name] = n
	return n
}

func prefix(s string, n int) string { return s[:min(n, len(s))] }

// section is the letter of a subclass.
func (c *codes) section(n code) string { return prefix(c.names[n], 1) }

// domainOf is the domain label of a query and a candidate with these subclasses.
func (c *codes) domainOf(query, doc []code) domain {
	var d domain
	if len(query) > 0 && len(doc) > 0 {
		d = domainKnown
	}
	for _, q := range query {
		for _, p := range doc {
			switch {
			case q == p:
				return d | sameSubclass | sameClass | sameSection
			case c.classes[q] == c.classes[p]:
				d |= sameClass | sameSection
			case c.sections[q] == c.sections[p]:
				d |= sameSection
			}
		}
	}
	return d
}

// String is for tests and messages.
func (d domain) String() string {
	return fmt.Sprintf("subclass=%d class=%d section=%d known=%d", d.bit(sameSubclass), d.bit(sameClass), d.bit(sameSection), d.bit(domainKnown))
}
