package sampler

import (
	"fmt"
	"strings"
	"testing"
)

func numbered(t *testing.T, c *codes, list string) []code {
	t.Helper()
	numbers, err := c.add(nil, strings.Fields(list))
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

func TestDomainOf(t *testing.T) {
	for _, test := range []struct {
		query, doc string
		want       domain
	}{
		{"A61K", "A61K", sameSubclass | sameClass | sameSection | domainKnown},
		{"A61K C07D", "B01J C07D", sameSubclass | sameClass | sameSection | domainKnown},
		{"A61K", "A61P", sameClass | sameSection | domainKnown},
		{"A61K", "A01N", sameSection | domainKnown},
		{"A61K H04L", "H01L B60R", sameSection | domainKnown},
		{"A61K", "H04L", domainKnown},
		{"A61K", "", 0},
		{"", "A61K", 0},
		{"", "", 0},
		{"H01", "H01L", sameClass | sameSection | domainKnown}, // short symbols of bad files
	} {
		c := newCodes()
		query, doc := numbered(t, c, test.query), numbered(t, c, test.doc)
		if got := c.domainOf(query, doc); got != test.want {
			t.Errorf("domainOf(%q, %q) is %s, want %s", test.query, test.doc, got, test.want)
		}
		if got, back := c.domainOf(query, doc), c.domainOf(doc, query); got != back {
			t.Errorf("domainOf(%q, %q) is not symmetric", test.query, test.doc)
		}
	}
}

func TestTooManyCodes(t *testing.T) {
	c := newCodes()
	names := make([]string, maxCodes+1)
	for i := range names {
		names[i] = fmt.Sprintf("%04x", i)
	}
	if _, err := c.add(nil, names[:maxCodes]); err != nil {
		t.Fatal(err)
	}
	if _, err := c.add(nil, names); err == nil || !strings.Contains(err.Error(), `the last is "10000"`) {
		t.Errorf("error is %v", err)
	}
}
