package schemas

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// ArrowTable describes a table kept as Arrow IPC files. The metadata of a field holds its description under "doc".
type ArrowTable struct {
	Name    string
	Version int
	Floor   int
	History []string
	About   string
	Fields  []arrow.Field
}

// Pairs, Groups and Texts are what a trainer and a re-ranker read: pairs/<name>/.
var (
	Pairs = ArrowTable{
		Name: "pairs", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per (query, candidate) pair: train-*.arrow and valid-*.arrow. The files stand alone; the schema's metadata holds alpha, the seed, counts and input hashes.",
		Fields: append(judgedFields(),
			text("query_title", "title of the topic, English"),
			text("query_abstract", "abstract of the topic, English"),
			text("doc_title", "title of the candidate, English"),
			text("doc_abstract", "abstract of the candidate, English"),
		),
	}
	Groups = ArrowTable{
		Name: "groups", Version: 1, Floor: 1, History: []string{"1: first"},
		About:  "One row per candidate of a test topic, in pool order and never cut across files: test-*.arrow. Texts are in texts.arrow.",
		Fields: judgedFields(),
	}
	Texts = ArrowTable{
		Name: "texts", Version: 1, Floor: 1, History: []string{"1: first"},
		About: "One row per topic and per candidate patent of the groups: texts.arrow. A topic's text is that of its own document, which may differ from the merged text of its patent.",
		Fields: []arrow.Field{
			column("kind", word, "topic or patent: what id names"),
			column("id", arrow.BinaryTypes.String, "topic_id of a topic, doc_id of a patent"),
			text("title", "title, English"),
			text("abstract", "abstract, English"),
		},
	}
)

// Arrow are the tables kept as Arrow IPC, in the order the data meets them.
func Arrow() []ArrowTable { return []ArrowTable{Pairs, Groups, Texts} }

// word is the type of a column with few distinct values.
var word = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}

// judgedFields are the columns of a pair without its texts.
func judgedFields() []arrow.Field {
	return []arrow.Field{
		column("topic_id", arrow.BinaryTypes.String, "topic"),
		column("query_id", arrow.BinaryTypes.String, "patent of the topic"),
		column("doc_id", arrow.BinaryTypes.String, "candidate patent"),
		column("label", arrow.PrimitiveTypes.Int8, "1 relevant, 0 not"),
		column("domain", arrow.PrimitiveTypes.Int8, "t of formula (4): 1 when the IPC subclasses of the two overlap, else 0"),
		column("domain_known", arrow.FixedWidthTypes.Boolean, "both have an IPC code; domain is 0 otherwise"),
		column("domain_section", arrow.PrimitiveTypes.Int8, "the same at section level (A)"),
		column("domain_class", arrow.PrimitiveTypes.Int8, "the same at class level (A61)"),
		column("domain_ipc3", arrow.PrimitiveTypes.Int8, "the same at IPC3 level, the 3 characters of DAPFAM's IN and OUT"),
		column("source", word, "how the candidate was drawn: gold, random, pool ..."),
		column("pool_rank", arrow.PrimitiveTypes.Int32, "rank in the topic's pool, 0 when not in it"),
	}
}

func column(name string, t arrow.DataType, doc string) arrow.Field {
	return arrow.Field{Name: name, Type: t, Metadata: arrow.NewMetadata([]string{"doc"}, []string{doc})}
}

func text(name, doc string) arrow.Field {
	f := column(name, arrow.BinaryTypes.String, doc)
	f.Nullable = true
	return f
}

// Tag names the table and its version: "pairs/1".
func (t ArrowTable) Tag() string { return fmt.Sprintf("%s/%d", t.Name, t.Version) }

// Check is [Table.Check] for an Arrow file's schema.
func (t ArrowTable) Check(schema *arrow.Schema) error {
	tag, _ := schema.Metadata().GetValue(MetadataSchema)
	return Table{Name: t.Name, Version: t.Version, Floor: t.Floor}.Check(tag)
}

// Schema is the Arrow schema with the tag and further metadata, given as pairs of key and value.
func (t ArrowTable) Schema(metadata ...string) *arrow.Schema {
	keys, values := []string{MetadataSchema}, []string{t.Tag()}
	for i := 0; i+1 < len(metadata); i += 2 {
		keys, values = append(keys, metadata[i]), append(values, metadata[i+1])
	}
	m := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(t.Fields, &m)
}
