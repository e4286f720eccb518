package registry

import (
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"dssdnet/eval/compare"
)

// Listing is the registry at a glance.
type Listing struct {
	Current  string  `json:"current"`
	Versions []Model `json:"versions"`
	History  []Event `json:"history"`
}

// Listing reads all of it.
func (r Registry) Listing() (Listing, error) {
	var l Listing
	var err error
	if l.Current, err = r.Current(); err != nil {
		return l, err
	}
	if l.Versions, err = r.List(); err != nil {
		return l, err
	}
	l.History, err = r.History()
	return l, err
}

// WriteTable shows the versions to people, a line each.
func (l Listing) WriteTable(w io.Writer) error {
	if len(l.Versions) == 0 {
		_, err := fmt.Fprintln(w, "no models yet: dssdnet promote makes the first")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tversion\tgate\tcreated\ttraining\tfrom\tmeasure\tvalue\tagainst\tdifference\tp")
	for _, m := range l.Versions {
		mark := ""
		if m.Version == l.Current {
			mark = "*"
		}
		if m.Damage != "" {
			fmt.Fprintf(t, "%s\t%s\tdamaged: %s\n", mark, m.Version, m.Damage)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t", mark, m.Version, m.Status, m.Created.Local().Format("2006-01-02 15:04"), m.Lineage.Training, m.Lineage.start())
		if len(m.Figures) > 0 {
			f := m.Figures[0]
			fmt.Fprintf(t, "%s\t%.4f\t%s\t", f.Measure, f.Mean, m.Against)
			if f.Test != nil {
				fmt.Fprintf(t, "%+.4f\t%s", f.Test.Difference, compare.PValue(f.Test.P))
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "* is current")
	return err
}

// start is what the weights began with: a version, a checkpoint or an encoder.
func (l Lineage) start() string {
	if l.Init != "" {
		return filepath.Base(l.Init)
	}
	return filepath.Base(l.Encoder)
}

// WriteTable shows a version to people.
func (m Model) WriteTable(w io.Writer) error {
	l := m.Lineage
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	line("version", "%s, of %s", m.Version, m.Created.Local().Format(time.DateTime))
	line("gate", "%s: %s", m.Status, m.Reason)
	line("rule", "%s, alpha %v, max loss %v, require gain %v, topics of %s", m.Gate.Measure, m.Gate.Alpha, m.Gate.MaxLoss, m.Gate.RequireGain, m.Set)
	line("training", "%s, seed %d, best after %d steps", l.Training, l.Seed, l.Steps)
	line("network", "%s, started from %s", l.Network, l.start())
	line("weights", "%s", l.Weights())
	line("pairs", "%s, train %s, valid %s", l.Pairs, l.TrainSHA256, l.ValidSHA256)
	if l.Pipeline != "" {
		line("pipeline", "%s, run %s", l.Pipeline, l.PipelineRun)
	}
	line("tool", "%s", l.Tool)
	if err := t.Flush(); err != nil {
		return err
	}
	if err := m.writeFigures(w); err != nil {
		return err
	}
	return m.writeFiles(w)
}

func (m Model) writeFigures(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\n\tvalue\t")
	if m.Against != "" {
		fmt.Fprintf(t, "%s\tdifference\tfrom\tto\twins\tlosses\tp\t", m.Against)
	}
	fmt.Fprintln(t)
	for _, f := range m.Figures {
		fmt.Fprintf(t, "%s\t%.4f\t", f.Measure, f.Mean)
		if test := f.Test; test != nil {
			fmt.Fprintf(t, "%.4f\t%+.4f\t%+.4f\t%+.4f\t%d\t%d\t%s\t", *f.Baseline, test.Difference, test.Low, test.High, test.Wins, test.Losses, compare.PValue(test.P))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// writeFiles lists everything that the version was made of, with hashes.
func (m Model) writeFiles(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nmade of\tfile\tsha256\n")
	l := m.Lineage
	for _, in := range l.Inputs {
		fmt.Fprintf(t, "training\t%s\t%s\n", in.Path, in.SHA256)
	}
	for _, in := range l.Data {
		fmt.Fprintf(t, "data\t%s\t%s\n", in.Path, in.SHA256)
	}
	for _, in := range l.Groups {
		fmt.Fprintf(t, "test groups\t%s\t%s\n", in.Path, in.SHA256)
	}
	for _, in := range l.Qrels {
		fmt.Fprintf(t, "qrels\t%s\t%s\n", in.Path, in.SHA256)
	}
	fmt.Fprintf(t, "run\t%s\t%s\n", l.Run.Path, l.Run.SHA256)
	if l.BaselineRun != nil {
		fmt.Fprintf(t, "baseline's run\t%s\t%s\n", l.BaselineRun.Path, l.BaselineRun.SHA256)
	}
	return t.Flush()
}
