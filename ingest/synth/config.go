package synth

import (
	"log/slog"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
)

// Config says which part of which universe to write, and where.
type Config struct {
	Out      string            `yaml:"-"` // folder to write, new or of an unfinished run with the same settings
	Log      *slog.Logger      `yaml:"-"` // nil discards
	Progress progress.Reporter `yaml:"-"` // nil is silent

	Patents     int   `yaml:"patents" help:"number of patents; each has one to four documents"`
	Topics      int   `yaml:"topics" help:"number of topics, at most a sixth of the patents; a tenth each is for validation and for test"`
	Seed        int64 `yaml:"seed" help:"a seed names a universe of patents: the same seed and settings give the same bytes"`
	FirstPatent int   `yaml:"first-patent" help:"number of the first patent; with K+1 the batch that follows a collection of K patents of the same seed"`

	HazardShare        float64 `yaml:"hazard-share" help:"share of documents with one of the known defects of patent XML"`
	CrossSubclassShare float64 `yaml:"cross-subclass-share" help:"share of citations between patents without a common IPC subclass"`
	DescriptionWords   int     `yaml:"description-words" help:"mean words of a description; claims grow with it (5000 gives documents of about 50 KB)"`
	OmitTopicPatents   bool    `yaml:"omit-topic-patents" help:"leave the topics' own patents out of the collection"`
	Archive            string  `yaml:"archive" help:"tar or tar.gz: write the collection as archives of 2048 patents instead of a folder tree"`
	Workers            int     `yaml:"workers" help:"documents written at a time; 0 is the number of CPUs"`
}

// Default returns settings for a collection that is quick to make and to try every stage on.
func Default() Config {
	return Config{
		Patents: 2000, Topics: 100, Seed: 1, FirstPatent: 1,
		CrossSubclassShare: 0.3, DescriptionWords: 400,
	}
}

// maxDescriptionWords keeps a document below the megabytes that readers cap.
const maxDescriptionWords = 50_000

// Validate reports settings that name no collection.
func (c Config) Validate() error {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	switch {
	case c.Out == "":
		return fault.New(fault.Usage, "synth needs the folder to write: dssdnet synth OUT")
	case c.Patents < 1 || c.FirstPatent < 1 || c.Patents > maxPatents-c.FirstPatent+1:
		return fault.New(fault.Usage, "--patents %d from --first-patent %d: patents are numbered 1 to %d", c.Patents, c.FirstPatent, maxPatents)
	case c.Topics < 0 || c.Topics > c.Patents/6:
		return fault.New(fault.Usage, "--topics %d: of %d patents 0 to %d can be topics", c.Topics, c.Patents, c.Patents/6)
	case !share(c.HazardShare):
		return fault.New(fault.Usage, "--hazard-share %g is not a share: 0 to 1", c.HazardShare)
	case !share(c.CrossSubclassShare):
		return fault.New(fault.Usage, "--cross-subclass-share %g is not a share: 0 to 1", c.CrossSubclassShare)
	case c.DescriptionWords < 1 || c.DescriptionWords > maxDescriptionWords:
		return fault.New(fault.Usage, "--description-words %d: 1 to %d", c.DescriptionWords, maxDescriptionWords)
	case c.Archive != "" && c.Archive != "tar" && c.Archive != "tar.gz":
		return fault.New(fault.Usage, "--archive %q: tar or tar.gz, or nothing for a folder tree", c.Archive)
	case c.Workers < 0:
		return fault.New(fault.Usage, "--workers %d: a number of documents at a time, or 0 for the number of CPUs", c.Workers)
	}
	return nil
}

// identity is the settings that decide the bytes: two runs with the same one write the same files.
type identity struct {
	Generator          int     `json:"generator"`
	Patents            int     `json:"patents"`
	Topics             int     `json:"topics"`
	Seed               int64   `json:"seed"`
	FirstPatent        int     `json:"first_patent"`
	HazardShare        float64 `json:"hazard_share"`
	CrossSubclassShare float64 `json:"cross_subclass_share"`
	DescriptionWords   int     `json:"description_words"`
	OmitTopicPatents   bool    `json:"omit_topic_patents"`
	Archive            string  `json:"archive"`
}

// generator is the version of what a seed stands for.
//
//	1  first
const generator = 1

func (c Config) identity() identity {
	return identity{
		Generator: generator, Patents: c.Patents, Topics: c.Topics, Seed: c.Seed, FirstPatent: c.FirstPatent,
		HazardShare: c.HazardShare, CrossSubclassShare: c.CrossSubclassShare, DescriptionWords: c.DescriptionWords,
		OmitTopicPatents: c.OmitTopicPatents, Archive: c.Archive,
	}
}
