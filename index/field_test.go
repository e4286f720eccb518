package index

import (
	"strings"
	"testing"
)

func TestParseFields(t *testing.T) {
	fields, err := ParseFields([]string{"text=title+abstract", "claims_de=claims_de"})
	if err != nil || len(fields) != 2 || fields[0].String() != "text=title+abstract" || fields[1].Name != "claims_de" {
		t.Errorf("%v, %v", fields, err)
	}
	for spec, want := range map[string]string{
		"text":              "not one of the text columns",
		"text=":             "not one of the text columns",
		"Text=title":        "name=column+column",
		"=title":            "name=column+column",
		"_x=title":          "name=column+column",
		"text=title+title":  "each once",
		"text=title+claim":  `"claim" is not`,
		"a=title b=title":   "not one of the text columns",
		"text=family_id":    "not one of the text columns",
		"text=title,claims": "not one of the text columns",
	} {
		if _, err := ParseFields([]string{spec}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", spec, err, want)
		}
	}
	if _, err := ParseFields(nil); err == nil {
		t.Error("an index without fields")
	}
}
