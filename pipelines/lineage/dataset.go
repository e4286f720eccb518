package lineage

import (
	"strings"

	"dssdnet/pipelines"
	"dssdnet/schemas"
)

// inputs describes what a step reads.
func (p places) inputs(data []pipelines.Data) []dataset {
	all := []dataset{}
	for _, d := range whole(data) {
		one := p.dataset(d)
		one.Read = &readFacets{statisticsFacet{facet: newFacet(readSchema), Bytes: d.Bytes, Files: d.Files}}
		all = append(all, one)
	}
	return all
}

// outputs describes what a step has written, given what the stage returned.
func (p places) outputs(data []pipelines.Data, result any) []dataset {
	all := []dataset{}
	for _, d := range whole(data) {
		one := p.dataset(d)
		written := statisticsFacet{facet: newFacet(writtenSchema), Bytes: d.Bytes, Files: d.Files}
		if n, ok := rowsWritten(result, d.Name); ok {
			written.Rows = &n
		}
		one.Written = &writtenFacets{written}
		all = append(all, one)
	}
	return all
}

// whole puts the parts of a dataset together, each where its first part stood, so that what a step wrote is what the
// next reads: topics/test is a part of topics, checkpoints/first/best one of checkpoints/first.
func whole(data []pipelines.Data) []pipelines.Data {
	var all []pipelines.Data
	at := map[string]int{}
	for _, d := range data {
		d.Name = wholeName(d.Name)
		i, ok := at[d.Name]
		if !ok {
			at[d.Name] = len(all)
			all = append(all, d)
			continue
		}
		all[i].Bytes += d.Bytes
		all[i].Files += d.Files
		all[i].Fingerprint = "" // that of a part is not that of the whole
	}
	return all
}

func wholeName(name string) string {
	parts := strings.Split(name, "/")
	switch parts[0] {
	case "documents", "patents", "topics", "qrels", "index", "models":
		return parts[0]
	case "pools", "pairs", "checkpoints", "runs", "reports":
		return strings.Join(parts[:min(2, len(parts))], "/")
	}
	return name
}

func (p places) dataset(d pipelines.Data) dataset {
	var one dataset
	one.Namespace, one.Name = p.of(d.Name)
	if fields := fieldsOf(d.Name); fields != nil {
		one.Facets.Schema = &schemaFacet{newFacet(tableSchema), fields}
	}
	if d.Fingerprint != "" {
		one.Facets.Version = &versionFacet{newFacet(versionSchema), d.Fingerprint}
	}
	return one
}

// fieldsOf are the columns of data that is a table: patents, pools/bm25, pairs/plain. Of other data there are none.
func fieldsOf(name string) []field {
	table, _, _ := strings.Cut(name, "/")
	for _, t := range schemas.Parquet() {
		if t.Name == table {
			return fields(t.Columns())
		}
	}
	if table == schemas.Pairs.Name {
		return fields(schemas.Pairs.Columns())
	}
	return nil
}

// fields describes columns. A list is an array of one field _element, as OpenLineage has it.
func fields(columns []schemas.Column) []field {
	all := make([]field, 0, len(columns))
	for _, c := range columns {
		one := field{Name: c.Name, Type: c.Type, Description: c.About, Fields: fields(c.Fields)}
		if element, ok := strings.CutSuffix(c.Type, "[]"); ok {
			one.Type, one.Fields = "array", []field{{Name: "_element", Type: element, Fields: one.Fields}}
		}
		all = append(all, one)
	}
	return all
}
