package sampler

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"

	"dssdnet/internal/manifest"
	"dssdnet/schemas"
)

//go:embed card.md.tmpl
var cardText string

var cardTemplate = template.Must(template.New(cardName).Funcs(template.FuncMap{
	"percent": percent,
	"bar":     bar,
	"bounds":  bounds,
	"mean":    func(h Histogram, n int64) string { return fmt.Sprintf("%.1f", float64(h.Sum)/float64(max(1, n))) },
	"sum":     func(cells [2]int64) int64 { return cells[0] + cells[1] },
	"total":   func(c Cells) int64 { return c[0][0] + c[0][1] + c[1][0] + c[1][1] },
	"bits":    func() []int { return []int{1, 0} },
	"at":      func(c Cells, label, t int) int64 { return c[label][t] },
}).Parse(cardText))

// card is the README.md of the pairs: what Hugging Face reads, then what people read.
func (j *job) card(inputs []manifest.Input) ([]byte, error) {
	header, err := yaml.Marshal(j.cardHeader())
	if err != nil {
		return nil, fmt.Errorf("dataset card: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\n%s---\n\n", header)
	err = cardTemplate.Execute(&b, map[string]any{
		"Config": j.Config, "Mix": j.mix.String(), "Build": j.pools.build, "Counts": &j.result.Counts, "Alpha": j.result.Counts.alpha(),
		"Splits":   []map[string]any{{"Name": "train", "Counts": &j.result.Counts.Train}, {"Name": "valid", "Counts": &j.result.Counts.Valid}},
		"Warnings": j.result.Warnings, "Checks": j.result.Checks, "Files": j.result.Files, "Inputs": inputs,
		"Pools": strings.Join(j.Pool, ", "), "Sets": strings.Join(setsOf(j.topics), ", "),
	})
	if err != nil {
		return nil, fmt.Errorf("dataset card: %w", err)
	}
	return b.Bytes(), nil
}

// cardHeader is the YAML block that the Hugging Face hub and its datasets library read.
type cardHeader struct {
	PrettyName string   `yaml:"pretty_name"`
	Language   []string `yaml:"language"`
	License    string   `yaml:"license"`
	Tasks      []string `yaml:"task_categories"`
	Size       []string `yaml:"size_categories"`
	Tags       []string `yaml:"tags"`

	Info    []cardInfo   `yaml:"dataset_info"`
	Configs []cardConfig `yaml:"configs"`
}

type cardInfo struct {
	Config   string        `yaml:"config_name"`
	Features []cardFeature `yaml:"features"`
	Splits   []cardSplit   `yaml:"splits"`
}

type cardFeature struct {
	Name string `yaml:"name"`
	Type string `yaml:"dtype"`
}

type cardSplit struct {
	Name     string `yaml:"name"`
	Bytes    int64  `yaml:"num_bytes"`
	Examples int64  `yaml:"num_examples"`
}

type cardConfig struct {
	Config  string     `yaml:"config_name"`
	Default bool       `yaml:"default,omitempty"`
	Files   []cardFile `yaml:"data_files"`
}

type cardFile struct {
	Split string `yaml:"split"`
	Path  string `yaml:"path"`
}

func (j *job) cardHeader() cardHeader {
	c := &j.result.Counts
	h := cardHeader{
		PrettyName: "Patent relevance pairs " + j.Pairs, Language: []string{"en"}, License: "other", Tasks: []string{"text-ranking"},
		Tags: []string{"patents", "prior-art-search", "clef-ip", "re-ranking"},
	}
	train, valid := c.Train.Positives+c.Train.Negatives, c.Valid.Positives+c.Valid.Negatives
	h.Size = []string{sizeCategory(train + valid + c.Test.Rows)}
	h.add("pairs", schemas.Pairs, true, j.split("train", "train-*.arrow", train), j.split("validation", "valid-*.arrow", valid))
	h.add("groups", schemas.Groups, false, j.split("test", "test-*.arrow", c.Test.Rows))
	h.add("texts", schemas.Texts, false, j.split("test", textsName, int64(len(j.groups))+j.groupedPatents()))
	return h
}

func (j *job) groupedPatents() int64 {
	var n int64
	for _, grouped := range j.grouped {
		if grouped {
			n++
		}
	}
	return n
}

type splitFiles struct {
	cardSplit
	path string
}

// split describes the files of a pattern with a number in place of the star.
func (j *job) split(name, pattern string, rows int64) splitFiles {
	s := splitFiles{cardSplit{Name: name, Examples: rows}, pattern}
	before, after, _ := strings.Cut(pattern, "*")
	for _, f := range j.result.Files {
		if strings.HasPrefix(f.Name, before) && strings.HasSuffix(f.Name, after) {
			s.Bytes += f.Size
		}
	}
	return s
}

// add describes a configuration; splits without rows have no files and are left out.
func (h *cardHeader) add(name string, table schemas.ArrowTable, isDefault bool, splits ...splitFiles) {
	info, config := cardInfo{Config: name}, cardConfig{Config: name, Default: isDefault}
	for _, field := range table.Fields {
		info.Features = append(info.Features, cardFeature{Name: field.Name, Type: featureType(field.Type.String())})
	}
	for _, s := range splits {
		if s.Examples > 0 {
			info.Splits = append(info.Splits, s.cardSplit)
			config.Files = append(config.Files, cardFile{Split: s.Name, Path: s.path})
		}
	}
	if len(config.Files) > 0 {
		h.Info, h.Configs = append(h.Info, info), append(h.Configs, config)
	}
}

// featureType is the word of the datasets library for an Arrow type. It reads dictionaries as their values.
func featureType(arrow string) string {
	switch {
	case arrow == "utf8", strings.HasPrefix(arrow, "dictionary"):
		return "string"
	default:
		return arrow
	}
}

func sizeCategory(rows int64) string {
	limits := []struct {
		below int64
		name  string
	}{{1e3, "n<1K"}, {1e4, "1K<n<10K"}, {1e5, "10K<n<100K"}, {1e6, "100K<n<1M"}, {1e7, "1M<n<10M"}}
	for _, l := range limits {
		if rows < l.below {
			return l.name
		}
	}
	return "10M<n<100M"
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// bar draws a share of 40 characters.
func bar(part, whole int64) string {
	return strings.Repeat("█", int(40*part/max(1, whole)))
}

// bounds are the lengths in a bucket of a histogram.
func bounds(bucket int) string {
	if bucket < 2 {
		return fmt.Sprint(bucket)
	}
	return fmt.Sprintf("%d-%d", 1<<(bucket-1), 1<<bucket-1)
}
