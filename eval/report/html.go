package report

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"

	"dssdnet/eval/compare"
)

//go:embed assets
var assets embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"short": func(hash string) string { return hash[:min(12, len(hash))] },
	"mean":  func(v float64) string { return fmt.Sprintf("%.4f", v) },
	"plus":  func(v float64) string { return strings.Replace(fmt.Sprintf("%+.4f", v), "-", "−", 1) },
	"p":     compare.PValue,
	"lastStep": func(points []LossPoint) int {
		if len(points) == 0 {
			return 0
		}
		return points[len(points)-1].Step
	},
	"cut": func(measure string) string { _, k, _ := strings.Cut(measure, "@"); return k },
}).ParseFS(assets, "assets/page.html"))

// html is the page. Its data is JSON in a script element of another type: encoding/json writes <, > and & as escapes,
// so that no text in it can end the element.
func html(d Data) ([]byte, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("data of the page: %w", err)
	}
	style, err := fs.ReadFile(assets, "assets/style.css")
	if err != nil {
		return nil, err
	}
	code, err := scripts()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Data": d, "Kinds": kindsOf(d.Compare.Measures),
		"JSON": template.JS(data), "Style": template.CSS(style), "Script": template.JS(code), //nolint:gosec // our own files, and JSON without markup
	})
	if err != nil {
		return nil, fmt.Errorf("page of the report: %w", err)
	}
	return b.Bytes(), nil
}

// scripts are the files of assets/*.js in the order of their names, each in a scope of its own but for what it puts
// into the object page.
func scripts() ([]byte, error) {
	names, err := fs.Glob(assets, "assets/*.js")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var code bytes.Buffer
	for _, name := range names {
		text, err := fs.ReadFile(assets, name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&code, "(() => {\n\"use strict\";\n%s})();\n", text)
	}
	return code.Bytes(), nil
}

// kind is a group of columns: the same measure at several cut-offs.
type kind struct {
	Name     string
	Measures []string
}

func kindsOf(measures []string) []kind {
	var all []kind
	for _, m := range measures {
		name, _, _ := strings.Cut(m, "@")
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, kind{Name: name})
		}
		last := &all[len(all)-1]
		last.Measures = append(last.Measures, m)
	}
	return all
}
