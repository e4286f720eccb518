package sampler

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"runtime"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas/arrowfile"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Pairs     string   `yaml:"pairs" help:"name of the pairs: pairs/NAME is written"`
	Pool      []string `yaml:"pool" help:"pools with the candidates of the topics, searched in one index build"`
	Sets      []string `yaml:"sets" help:"topic sets to sample; none named is all of topics/"`
	QrelsSets []string `yaml:"qrels-sets" help:"qrels sets with the golds; none named is those of the topic sets' names"`

	GroupsOnly bool `yaml:"groups-only" help:"make the pools of all topics groups to re-rank and write no pairs: for validation topics, on which a weight is chosen"`

	Seed                 int64    `yaml:"seed" help:"seed of the split, the draws and the order"`
	Negatives            []string `yaml:"negatives" help:"how negatives are drawn: random, pool, pool-same-subclass, domain-balanced, or a mix with shares: random=0.7,pool=0.3"`
	NegativesPerPositive int      `yaml:"negatives-per-positive" help:"negatives drawn for every positive; 1 is label-balanced"`
	PoolRankFrom         int      `yaml:"pool-rank-from" help:"best rank that the pool strategies draw from"`
	PoolRankTo           int      `yaml:"pool-rank-to" help:"worst rank that the pool strategies draw from; 0 is the end of the pool"`
	PriorOnly            bool     `yaml:"prior-only" help:"draw only negatives published before the topic's priority date"`
	ValidShare           float64  `yaml:"valid-share" help:"share of the train topics drawn for validation, by family; 0 when the sets bring validation topics of their own"`
	MaxGoldsPerTopic     int      `yaml:"max-golds-per-topic" help:"golds above which a topic is left out of training, as broken topics of 2010 are; 0 is no limit"`
	AllowStalePool       bool     `yaml:"allow-stale-pool" help:"take pools of another index build than the current one"`

	BatchRows   int            `yaml:"batch-rows" help:"rows of a record batch of pairs, at most; a test group is always one batch"`
	ShardBytes  settings.Bytes `yaml:"shard-bytes" help:"size from which on a further file is begun"`
	Compression string         `yaml:"compression" help:"compression of the Arrow files: none or lz4"`
	Format      string         `yaml:"format" help:"arrow, or jsonl to write the pairs for sentence-transformers and Tevatron as well"`

	Workers int  `yaml:"workers" help:"cores to use; 0 is all; the result is the same"`
	Force   bool `yaml:"force" help:"sample again although nothing has changed"`
}

// Formats.
const (
	FormatArrow = "arrow"
	FormatJSONL = "jsonl"
)

// Default is what the command starts from.
func Default() Config {
	return Config{
		Seed: 1, Negatives: []string{arrowfile.SourceRandom}, NegativesPerPositive: 1, PoolRankFrom: 1,
		ValidShare: 0.1, MaxGoldsPerTopic: 300,
		BatchRows: 1024, ShardBytes: 256 << 20, Compression: arrowfile.None, Format: FormatArrow,
	}
}

var tableName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if !tableName.MatchString(c.Pairs) {
		return fault.New(fault.Usage, "--pairs %q is not a name of letters, digits, '.', '_' and '-'", c.Pairs)
	}
	if len(c.Pool) == 0 {
		return fault.New(fault.Usage, "no pool given: name one with --pool")
	}
	for _, name := range c.Pool {
		if !tableName.MatchString(name) {
			return fault.New(fault.Usage, "--pool %q is not the name of a pool", name)
		}
	}
	if _, err := parseMix(c.Negatives); err != nil {
		return err
	}
	switch {
	case c.NegativesPerPositive < 1:
		return fault.New(fault.Usage, "--negatives-per-positive is %d, must be at least 1", c.NegativesPerPositive)
	case c.PoolRankFrom < 1:
		return fault.New(fault.Usage, "--pool-rank-from is %d, ranks begin with 1", c.PoolRankFrom)
	case c.PoolRankTo != 0 && c.PoolRankTo < c.PoolRankFrom:
		return fault.New(fault.Usage, "--pool-rank-to is %d, before --pool-rank-from %d", c.PoolRankTo, c.PoolRankFrom)
	case !(c.ValidShare >= 0 && c.ValidShare < 1):
		return fault.New(fault.Usage, "--valid-share is %v, must be from 0 to below 1", c.ValidShare)
	case c.MaxGoldsPerTopic < 0:
		return fault.New(fault.Usage, "--max-golds-per-topic is %d, must be 0 (no limit) or more", c.MaxGoldsPerTopic)
	case c.BatchRows <= c.NegativesPerPositive:
		return fault.New(fault.Usage, "--batch-rows is %d: a positive and its %d negatives do not fit into a batch", c.BatchRows, c.NegativesPerPositive)
	case c.ShardBytes < 1:
		return fault.New(fault.Usage, "--shard-bytes is %s, must be positive", c.ShardBytes)
	case c.Compression != arrowfile.None && c.Compression != arrowfile.LZ4:
		return fault.New(fault.Usage, "--compression %q is neither %s nor %s", c.Compression, arrowfile.None, arrowfile.LZ4)
	case c.Format != FormatArrow && c.Format != FormatJSONL:
		return fault.New(fault.Usage, "--format %q is neither %s nor %s", c.Format, FormatArrow, FormatJSONL)
	case c.Workers < 0:
		return fault.New(fault.Usage, "--workers is %d, must be 0 (all cores) or more", c.Workers)
	}
	return nil
}

func (c Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// recorded are the settings that decide what is written.
func (c Config) recorded() (json.RawMessage, error) {
	return json.Marshal(map[string]any{
		"pairs": c.Pairs, "pool": c.Pool, "sets": c.Sets, "qrels-sets": c.QrelsSets, "seed": c.Seed, "negatives": c.Negatives,
		"negatives-per-positive": c.NegativesPerPositive, "pool-rank-from": c.PoolRankFrom, "pool-rank-to": c.PoolRankTo,
		"prior-only": c.PriorOnly, "valid-share": c.ValidShare, "max-golds-per-topic": c.MaxGoldsPerTopic,
		"groups-only": c.GroupsOnly, "allow-stale-pool": c.AllowStalePool, "batch-rows": c.BatchRows, "shard-bytes": c.ShardBytes,
		"compression": c.Compression, "format": c.Format,
	})
}
