package topics

import (
	"log/slog"
	"regexp"
	"slices"

	"dssdnet/ingest/patentxml"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	Path      string            `yaml:"-"` // topic file, folder or archive

	Set              string         `yaml:"set" help:"name of the topic set: 2010-test"`
	Split            string         `yaml:"split" help:"what the set is for: train, valid or test"`
	MaxDocumentBytes settings.Bytes `yaml:"max-document-bytes" help:"XML of one topic document; a longer one is cut and its row marked"`
	MaxFieldBytes    settings.Bytes `yaml:"max-field-bytes" help:"one text of a topic; a longer one is cut"`
	MaxUnpackedBytes settings.Bytes `yaml:"max-unpacked-bytes" help:"content of an archive; one with more is refused"`
	MaxDeadShare     float64        `yaml:"max-dead-share" help:"share of topics that cannot be read above which the exit code is 4"`
	Force            bool           `yaml:"force" help:"read the topics again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config {
	limits := patentxml.DefaultLimits()
	return Config{
		MaxDocumentBytes: settings.Bytes(limits.DocumentBytes), MaxFieldBytes: settings.Bytes(limits.FieldBytes),
		MaxUnpackedBytes: 8 << 30, MaxDeadShare: 0.01,
	}
}

var (
	setName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	splits  = []string{"train", "valid", "test"}
)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.Path == "":
		return fault.New(fault.Usage, "no topic file, folder or archive given")
	case !setName.MatchString(c.Set):
		return fault.New(fault.Usage, "--set %q is not a name of letters, digits, '.', '_' and '-'", c.Set)
	case !slices.Contains(splits, c.Split):
		return fault.New(fault.Usage, "--split %q is not train, valid or test", c.Split)
	case c.MaxDocumentBytes < 1, c.MaxFieldBytes < 1, c.MaxUnpackedBytes < 1:
		return fault.New(fault.Usage, "--max-document-bytes, --max-field-bytes and --max-unpacked-bytes must be positive")
	case c.MaxDeadShare < 0 || c.MaxDeadShare > 1:
		return fault.New(fault.Usage, "--max-dead-share is %v, must be from 0 to 1", c.MaxDeadShare)
	}
	return nil
}

// Result of one run.
type Result struct {
	Skipped bool   `json:"skipped"` // nothing had changed; the counts are those of the run that wrote the file
	Set     string `json:"set"`
	Split   string `json:"split"`
	Form    string `json:"form"` // "topic file" (2010) or "folder" (2011)

	Topics      int64            `json:"topics"`       // rows written
	DeadLetters int64            `json:"dead_letters"` // topics that could not be read
	Truncated   int64            `json:"truncated"`    // topics of which a byte cap cut something off
	Languages   map[string]int64 `json:"languages"`    // topics by language, "" unknown
	Dead        []Dead           `json:"dead,omitempty"`
	Seconds     float64          `json:"seconds"`
}

// Dead is a topic that could not be read.
type Dead struct {
	Topic  string `json:"topic,omitempty"` // "" when its id is not known
	File   string `json:"file"`            // the patent document, or the topic file itself
	Line   int    `json:"line,omitempty"`  // of the topic file, from 1
	Reason string `json:"reason"`
}

// listed is how many dead topics a Result shows; the log has all.
const listed = 20
