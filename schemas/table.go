package schemas

import "fmt"

// Table describes one table of the workspace: its name, the version of its columns and how old a version can be
// and still be read.
type Table struct {
	Name    string // folder in the workspace, view in `dssdnet query`
	Version int    // version that this build writes
	Floor   int    // oldest version that this build reads
	// History has one line a version, the newest last: what changed and why.
	History []string
	About   string // one sentence for docs/tables.md
	Row     any    // zero value of the row type
	// Blobs are the columns of long text: no statistics are kept of them. A page's minimum and maximum of a
	// 5 MB string would be stored twice uncompressed, in the page header and in the footer.
	Blobs []string
	// Keys are the columns that get a Bloom filter, for look-ups by value.
	Keys []string
}

// Tables of the workspace, in the order the data meets them.
var (
	Documents = Table{
		Name: "documents", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per published document. A document that was published again with other content has a row for each; the view `documents` shows the newest.",
		Row:   Document{},
		Blobs: []string{
			"abstract_en", "abstract_de", "abstract_fr", "claims_en", "claims_de", "claims_fr",
			"description_en", "description_de", "description_fr", "other_texts.list.element.text",
		},
		Keys: []string{"ucid"},
	}
	Patents = Table{
		Name: "patents", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per patent: its documents merged, each section from the newest document that has it.",
		Row:   Patent{},
		Blobs: []string{
			"abstract", "claims", "description", "abstract_de", "abstract_fr", "claims_de", "claims_fr",
			"description_de", "description_fr",
		},
		Keys: []string{"patent_id"},
	}
	Topics = Table{
		Name: "topics", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per topic of a topic set. Citations are left out: the qrels were made of them.",
		Row:   Topic{},
		Blobs: []string{"abstract", "claims", "abstract_de", "abstract_fr", "claims_de", "claims_fr"},
	}
	Qrels = Table{
		Name: "qrels", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per relevant (topic, patent).",
		Row:   Qrel{},
	}
	Pools = Table{
		Name: "pools", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per candidate of a topic, in BM25 order.",
		Row:   Pool{},
	}
	Metrics = Table{
		Name: "metrics", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per topic, measure and cut-off of an evaluated run.",
		Row:   Metric{},
	}
)

// Parquet are the tables kept as Parquet, in the order the data meets them.
func Parquet() []Table { return []Table{Documents, Patents, Topics, Qrels, Pools, Metrics} }

// MetadataSchema is the key in a file's key-value metadata whose value is [Table.Tag].
const MetadataSchema = "dssdnet.schema"

// Tag names the table and its version, as stored in every file: "documents/1".
func (t Table) Tag() string { return fmt.Sprintf("%s/%d", t.Name, t.Version) }

// Check returns an error that says what to do when tag, read from a file's metadata, is not a version of t that
// this build reads.
func (t Table) Check(tag string) error {
	var version int
	if _, err := fmt.Sscanf(tag, t.Name+"/%d", &version); err != nil {
		return fmt.Errorf("not a %s file: %s is %q", t.Name, MetadataSchema, tag)
	}
	switch {
	case version > t.Version:
		return fmt.Errorf("%s was written by a newer dssdnet, this one reads up to %s: upgrade dssdnet", tag, t.Tag())
	case version < t.Floor:
		return fmt.Errorf("%s is older than this dssdnet reads (%s/%d): make the table again", tag, t.Name, t.Floor)
	}
	return nil
}
