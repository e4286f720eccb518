package pipelines

import (
	"embed"
	"path"
	"strings"
)

//go:embed *.yaml
var shippedFiles embed.FS

// Shipped are the names of the pipelines that come with the program.
func Shipped() []string {
	entries, err := shippedFiles.ReadDir(".")
	if err != nil {
		panic(err) // the folder is in the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	return names
}
