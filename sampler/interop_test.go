package sampler

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/schemas/arrowfile"
)

// TestPythonReadsEveryFile compares what pyarrow, polars and datasets read with what the Go reader does.
func TestPythonReadsEveryFile(t *testing.T) {
	python := os.Getenv("DSSDNET_PYTHON")
	if python == "" {
		t.Skip("needs DSSDNET_PYTHON, a Python with pyarrow, polars and datasets")
	}
	if out, err := exec.Command(python, "-c", "import pyarrow, polars, datasets").CombinedOutput(); err != nil {
		t.Skipf("DSSDNET_PYTHON needs pyarrow, polars and datasets: %s", out)
	}
	for _, compression := range []string{arrowfile.None, arrowfile.LZ4} {
		c := config(smallTables().workspace(t))
		c.Compression, c.ShardBytes, c.Negatives = compression, 20_000, []string{"random=0.5", "pool=0.5"}
		run(t, c)
		cmd := exec.Command(python, filepath.Join("testdata", "read_pairs.py"), filepath.Join(string(c.Workspace), "pairs", c.Pairs))
		cmd.Env = append(os.Environ(), "HF_HUB_OFFLINE=1", "HF_HOME="+t.TempDir())
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, stderr.String())
		}
		got := strings.Split(strings.TrimSpace(string(out)), "\n")
		slices.Sort(got)
		want := readByGo(t, c)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: Python reads\n%s\nGo reads\n%s", compression, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// readByGo are the lines that testdata/read_pairs.py should print.
func readByGo(t *testing.T, c Config) []string {
	t.Helper()
	splits := map[string]string{}
	for _, split := range []string{"train", "valid"} {
		d := newDigest()
		for _, p := range slices.Concat(rows(t, c, split, arrowfile.Pairs)...) {
			d.row(append(judgedValues(p.Judged), null(p.QueryTitle), null(p.QueryAbstract), null(p.DocTitle), null(p.DocAbstract))...)
		}
		splits[split] = d.String()
	}
	d := newDigest()
	for _, j := range slices.Concat(rows(t, c, "test", arrowfile.Groups)...) {
		d.row(judgedValues(j)...)
	}
	splits["test"] = d.String()
	d = newDigest()
	for _, x := range slices.Concat(rows(t, c, "texts", arrowfile.Texts)...) {
		d.row(x.Kind, x.ID, null(x.Title), null(x.Abstract))
	}
	splits["texts"] = d.String()

	var lines []string
	for split, digest := range splits {
		for _, reader := range []string{"datasets", "polars", "pyarrow"} {
			lines = append(lines, reader+" "+split+" "+digest)
		}
	}
	slices.Sort(lines)
	return lines
}

func judgedValues(j arrowfile.Judged) []any {
	return []any{j.TopicID, j.QueryID, j.DocID, j.Label, j.Domain, j.DomainKnown, j.DomainSection, j.DomainClass, j.DomainIPC3, j.Source, j.PoolRank}
}

func null(s string) string {
	if s == "" {
		return "\x00"
	}
	return s
}

type digest struct {
	hash.Hash
	rows int
}

func newDigest() *digest { return &digest{Hash: sha256.New()} }

func (d *digest) row(values ...any) {
	d.rows++
	for _, v := range values {
		fmt.Fprintf(d, "%v\x1f", v)
	}
	fmt.Fprint(d, "\x1e")
}

func (d *digest) String() string { return fmt.Sprintf("%d %x", d.rows, d.Sum(nil)) }
