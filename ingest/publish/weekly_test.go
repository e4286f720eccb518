package publish

import (
	"fmt"
	"strings"
	"testing"

	"dssdnet/schemas"
)

// TestWeeklyFile publishes what the USPTO puts out each week: one file with every document behind the other, each with its
// own declaration and DOCTYPE, and sequence listings between.
func TestWeeklyFile(t *testing.T) {
	const prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE %s SYSTEM \"%[1]s-v45-2014-04-03.dtd\" [ ]>\n"
	grant := func(number, kind, text string) string {
		return fmt.Sprintf(prolog, "us-patent-grant") + `<us-patent-grant lang="EN" file="US0-20150106.XML" id="us-patent-grant" country="US" date-publ="20150106">
<us-bibliographic-data-grant>
<publication-reference>
<document-id>
<country>US</country>
<doc-number>` + number + `</doc-number>
<kind>` + kind + `</kind>
</document-id>
</publication-reference>
</us-bibliographic-data-grant>
<description><p>` + text + "</p></description>\n</us-patent-grant>\n"
	}
	sequences := fmt.Sprintf(prolog, "sequence-cwu") + `<sequence-cwu id="S"><publication-reference><document-id><country>US</country><doc-number>08926509</doc-number></document-id></publication-reference></sequence-cwu>` + "\n"
	week := []string{grant("D0700000", "S1", "a rod"), grant("08926509", "B2", strings.Repeat("long ", 200_000)), sequences,
		grant("RE042370", "E1", "raw & broken < markup"), strings.TrimSuffix(grant("PP017123", "P2", "never closed"), "</us-patent-grant>\n"), grant("08926509", "B2", "a correction")}
	dir := t.TempDir()
	path := write(t, dir, "ipg150106.xml", strings.Join(week, ""))

	r, records := publishes(t, start(t, dir))
	if r.Documents != int64(len(week)) || r.WithoutID != 1 || r.DeadLetters != 0 || r.Cut != 0 {
		t.Errorf("result %+v", r)
	}
	partitions := make(map[string]int)
	keys := make(map[string]int)
	for _, m := range flat(records) {
		checkRecord(t, m)
		key := string(m.Key)
		keys[key]++
		if at, again := partitions[key]; again && at != m.Partition {
			t.Errorf("%s lies on the partitions %d and %d", key, at, m.Partition)
		}
		partitions[key] = m.Partition
		if header(m, schemas.HeaderPath) != path {
			t.Errorf("path %s", header(m, schemas.HeaderPath))
		}
	}
	for key, n := range map[string]int{"US-D700000": 1, "US-8926509": 2, "US-RE42370": 1, "US-PP17123": 1, path: 1} {
		if keys[key] != n {
			t.Errorf("%d records of %s, want %d", keys[key], key, n)
		}
	}
}
