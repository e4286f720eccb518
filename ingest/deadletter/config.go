package deadletter

import (
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
)

// Config says which letters List and Replay are about.
type Config struct {
	Cluster  cluster.Config    `yaml:"-"`
	Log      *slog.Logger      `yaml:"-"` // nil discards
	Progress progress.Reporter `yaml:"-"` // nil is silent

	Stage      string `yaml:"stage" help:"only letters of this stage: publish, parse or search"`
	Class      string `yaml:"class" help:"only letters with this reason code, as dlq list shows it"`
	Path       string `yaml:"path" help:"only letters whose path matches this pattern; * is any text, slashes too, ? any character"`
	Limit      int    `yaml:"limit" help:"list at most this many, the ones that failed last"`
	DedupeKeys int    `yaml:"dedupe-keys" help:"how many letters are remembered, at about 100 bytes each, to show or send each trouble once"`
}

// Default lists the last hundred troubles.
func Default() Config { return Config{Limit: 100, DedupeKeys: 1_000_000} }

// stages are those that have dead letters.
var stages = []string{StagePublish, StageParse, StageSearch}

// Validate checks the settings. The error is a fault.Usage.
func (c Config) Validate() error {
	switch {
	case c.Stage != "" && !slices.Contains(stages, c.Stage):
		return fault.New(fault.Usage, "--stage: %q is none of %s", c.Stage, strings.Join(stages, ", "))
	case c.Limit < 1:
		return fault.New(fault.Usage, "--limit must be 1 or more, not %d", c.Limit)
	case c.DedupeKeys < 1000:
		return fault.New(fault.Usage, "--dedupe-keys must be 1000 or more, not %d", c.DedupeKeys)
	}
	return c.Cluster.Validate()
}

// filter returns the choice of letters that c makes.
func (c Config) filter() func(Letter) bool {
	pattern := glob(c.Path)
	return func(l Letter) bool {
		return (c.Stage == "" || l.Stage == c.Stage) && (c.Class == "" || l.Class == c.Class) &&
			(c.Path == "" || pattern.MatchString(l.Path))
	}
}

// glob compiles a pattern whose * crosses slashes, for a path may go through folders and archives.
func glob(pattern string) *regexp.Regexp {
	q := regexp.QuoteMeta(pattern)
	q = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(q)
	return regexp.MustCompile(`(?s)\A` + q + `\z`)
}
