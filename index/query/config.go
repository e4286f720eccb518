package query

import (
	"slices"
	"strconv"
	"strings"

	"dssdnet/index/bm25"
	"dssdnet/internal/fault"
)

// Config are the settings of searching. They are the same for pools, workers and ad-hoc questions.
type Config struct {
	Columns  []string `yaml:"query" help:"columns of topics/ whose terms together are the query: title, abstract, claims, title_de ..."`
	Match    []string `yaml:"match" help:"fields of the index that are searched, with a weight if it is not 1: text,claims=0.5"`
	TF       string   `yaml:"query-tf" help:"what a term counts that stands in the query several times: count (as often) or binary (once)"`
	MaxTerms int      `yaml:"max-terms" help:"terms of a query that are kept, those that --select prefers; 0 is all"`
	Select   string   `yaml:"select" help:"terms that --max-terms prefers: tf-idf or idf"`

	Hits int     `yaml:"hits" help:"patents in the pool of a topic"`
	K1   float64 `yaml:"k1" help:"k1 of BM25: how late the frequency of a term saturates"`
	B    float64 `yaml:"b" help:"b of BM25: how much the length of a patent counts, 0 to 1"`

	KeepFamily              bool    `yaml:"keep-family" help:"keep patents of the topic's family; the topic's own patent is never a hit"`
	PublishedBeforePriority bool    `yaml:"published-before-priority" help:"only patents published before the topic's earliest priority day, or without a known day"`
	IPC                     string  `yaml:"ipc" help:"patents that share an IPC subclass with the topic: off (treated as others), filter (only they) or boost"`
	IPCBoost                float64 `yaml:"ipc-boost" help:"factor of their scores with --ipc boost"`
}

// Values of Config.TF, Config.Select and Config.IPC.
const (
	TFCount  = "count"
	TFBinary = "binary"

	SelectTFIDF = "tf-idf"
	SelectIDF   = "idf"

	IPCOff      = "off"
	IPCFilter   = "filter"
	IPCBoosting = "boost"
)

// Default are the settings of the paper.
func Default() Config {
	p := bm25.DefaultParams()
	return Config{
		Columns: []string{"title", "abstract"}, Match: []string{"text"}, TF: TFCount, Select: SelectTFIDF,
		Hits: 1000, K1: p.K1, B: p.B, IPC: IPCOff, IPCBoost: 1.2,
	}
}

// Validate says what is wrong with the settings.
func (c Config) Validate() error {
	for i, name := range c.Columns {
		if !slices.Contains(Columns(), name) || slices.Contains(c.Columns[:i], name) {
			return fault.New(fault.Usage, "--query: %q is not one of the text columns of topics/, each once: %s", name, strings.Join(Columns(), ", "))
		}
	}
	if _, err := c.weights(); err != nil {
		return err
	}
	switch {
	case len(c.Columns) == 0:
		return fault.New(fault.Usage, "--query is empty: name the columns of topics/ to search with, like title,abstract")
	case c.TF != TFCount && c.TF != TFBinary:
		return fault.New(fault.Usage, "--query-tf is %q, must be count or binary", c.TF)
	case c.Select != SelectTFIDF && c.Select != SelectIDF:
		return fault.New(fault.Usage, "--select is %q, must be tf-idf or idf", c.Select)
	case c.MaxTerms < 0:
		return fault.New(fault.Usage, "--max-terms is %d, must be 0 (all) or more", c.MaxTerms)
	case c.Hits < 1:
		return fault.New(fault.Usage, "--hits is %d, must be at least 1", c.Hits)
	case !(c.K1 >= 0 && c.K1 <= 1000):
		return fault.New(fault.Usage, "--k1 is %v, must be from 0 to 1000", c.K1)
	case !(c.B >= 0 && c.B <= 1):
		return fault.New(fault.Usage, "--b is %v, must be from 0 to 1", c.B)
	case c.IPC != IPCOff && c.IPC != IPCFilter && c.IPC != IPCBoosting:
		return fault.New(fault.Usage, "--ipc is %q, must be off, filter or boost", c.IPC)
	case !(c.IPCBoost > 0 && c.IPCBoost <= 1000):
		return fault.New(fault.Usage, "--ipc-boost is %v, must be above 0 and at most 1000", c.IPCBoost)
	}
	return nil
}

// Params are k1 and b.
func (c Config) Params() bm25.Params { return bm25.Params{K1: c.K1, B: c.B} }

// weight is a field to search and what its score counts.
type weight struct {
	field  string
	weight float64
}

func (c Config) weights() ([]weight, error) {
	var weights []weight
	for _, text := range c.Match {
		name, number, weighted := strings.Cut(text, "=")
		w := weight{field: name, weight: 1}
		if weighted {
			var err error
			if w.weight, err = strconv.ParseFloat(number, 64); err != nil || !(w.weight > 0 && w.weight <= 1e6) {
				return nil, fault.New(fault.Usage, "--match: %q: the weight must be a number above 0, like claims=0.5", text)
			}
		}
		if slices.ContainsFunc(weights, func(other weight) bool { return other.field == name }) {
			return nil, fault.New(fault.Usage, "--match: field %q stands twice", name)
		}
		weights = append(weights, w)
	}
	if len(weights) == 0 {
		return nil, fault.New(fault.Usage, "--match is empty: name the fields of the index to search, like text")
	}
	return weights, nil
}
