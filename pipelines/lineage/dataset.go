package lineage

import (
	"strings"

	"dssdnet/pipelines"
	"dssdnet/schemas"
)

// input describes data that a step reads.
func (p places) input(d pipelines.Data) dataset {
	one := p.dataset(d)
	one.Read = &readFacets{statisticsFacet{facet: newFacet(readSchema), Bytes: d.Bytes, Files: d.Files}}
	return one
}

// output describes data that a step has written, given what the stage returned.
func (p places) output(d pipelines.Data, result any) dataset {
	one := p.dataset(d)
	written := statisticsFacet{facet: newFacet(writtenSchema), Bytes: d.Bytes, Files: d.Files}
	if n, ok := rowsWritten(result, d.Name); ok {
		written.Rows = &n
	}
	one.Written = &writtenFacets{written}
	return one
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
