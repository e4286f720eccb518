package index

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// TextColumns are the columns of patents/ that can be indexed, in the order of the table.
func TextColumns() []string {
	return []string{
		"title", "abstract", "claims", "description",
		"title_de", "title_fr", "abstract_de", "abstract_fr",
		"claims_de", "claims_fr", "description_de", "description_fr",
	}
}

// FieldSpec is a field of the index: a name, and the columns of patents/ whose terms are one bag under it. Its text
// form is name=column+column.
type FieldSpec struct {
	Name    string
	Columns []string
}

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ParseFields reads the text forms of the fields of an index.
func ParseFields(specs []string) ([]FieldSpec, error) {
	var fields []FieldSpec
	for _, spec := range specs {
		name, columns, _ := strings.Cut(spec, "=")
		field := FieldSpec{Name: name, Columns: strings.Split(columns, "+")}
		if !fieldName.MatchString(name) {
			return nil, fmt.Errorf("field %q: a field is written name=column+column, like text=title+abstract", spec)
		}
		for i, column := range field.Columns {
			if !slices.Contains(TextColumns(), column) || slices.Contains(field.Columns[:i], column) {
				return nil, fmt.Errorf("field %q: %q is not one of the text columns of patents/, each once: %s",
					spec, column, strings.Join(TextColumns(), ", "))
			}
		}
		if slices.ContainsFunc(fields, func(other FieldSpec) bool { return other.Name == name }) {
			return nil, fmt.Errorf("field %q: the name stands twice", spec)
		}
		fields = append(fields, field)
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("an index needs a field, like text=title+abstract")
	}
	return fields, nil
}

// String is the text form.
func (f FieldSpec) String() string { return f.Name + "=" + strings.Join(f.Columns, "+") }
