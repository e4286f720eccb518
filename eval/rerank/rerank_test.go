package rerank

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas/arrowfile"
	"dssdnet/train/wordpiece"
)

var words = strings.Fields("pump valve rotor seal polymer enzyme laser lens battery anode gear brake")

func tokenizer(t testing.TB) *wordpiece.Tokenizer {
	t.Helper()
	vocab, err := wordpiece.Learn(slices.Values(words), 200, wordpiece.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tok, err := wordpiece.New(vocab, wordpiece.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// fixture is a workspace with groups of topics, of rows rows each; every seventh patent and topic 2 have no text.
func fixture(t testing.TB, topics, rows int) Config {
	t.Helper()
	c := Default()
	c.Workspace, c.Run, c.Checkpoint = workspace.Dir(t.TempDir()), "model", filepath.Join(t.TempDir(), "best")
	for _, name := range []string{"config.json", "model.safetensors", "vocab.txt"} {
		put(t, filepath.Join(c.Checkpoint, name), name)
	}
	var judged []arrowfile.Judged
	var texts []arrowfile.Text
	for topic := range topics {
		id := fmt.Sprintf("PAC-%d", topic)
		text := arrowfile.Text{Kind: arrowfile.KindTopic, ID: id, Title: words[topic%len(words)]}
		if topic == 2 {
			text.Title = ""
		}
		texts = append(texts, text)
		for rank := range rows {
			judged = append(judged, arrowfile.Judged{
				TopicID: id, QueryID: "EP-1", DocID: fmt.Sprintf("EP-%07d", 1000000+(topic*31+rank*17)%200), Domain: int8(rank % 2), Source: arrowfile.SourcePool, PoolRank: int32(rank + 1),
			})
		}
	}
	for n := range 200 {
		text := arrowfile.Text{Kind: arrowfile.KindPatent, ID: fmt.Sprintf("EP-%07d", 1000000+n), Title: words[n%len(words)], Abstract: strings.Repeat(words[n*7%len(words)]+" ", n%40)}
		if n%7 == 3 {
			text.Title, text.Abstract = "", ""
		}
		texts = append(texts, text)
	}
	cut := len(judged) / rows / 2 * rows // a topic is in one file
	writeArrow(t, filepath.Join(c.pairsDir(), "test-00000.arrow"), arrowfile.Groups, judged[:cut])
	writeArrow(t, filepath.Join(c.pairsDir(), "test-00001.arrow"), arrowfile.Groups, judged[cut:])
	writeArrow(t, filepath.Join(c.pairsDir(), "texts.arrow"), arrowfile.Texts, texts)
	return c
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeArrow[R any](t testing.TB, path string, table arrowfile.Table[R], rows []R) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	w, err := arrowfile.Create(path, table, arrowfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Append(&rows[i]); err != nil {
			t.Fatal(err)
		}
		if i%37 == 36 { // batches end inside topics
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// fake scores a pair by its tokens alone, so that the batch it is in means nothing. It fails at call number failAt.
type fake struct{ calls, failAt, padding int }

var errKilled = errors.New("killed")

func (f *fake) score(m matrix) ([]float32, error) {
	if f.calls++; f.calls == f.failAt {
		return nil, errKilled
	}
	var scores []float32
	for r := range m.rows {
		sum := m.domain[r]
		for i := range m.length {
			at := r*m.length + i
			if m.mask[at] == 1 {
				sum += float32(m.ids[at]) * float32(i%5+1) * (1 + float32(m.types[at])) / 1000
			} else {
				f.padding++
			}
		}
		scores = append(scores, sum)
	}
	return scores, nil
}

func score(t *testing.T, c Config, f *fake) (Result, error) {
	t.Helper()
	j, err := c.begin()
	if err != nil {
		t.Fatal(err)
	}
	return j.run(t.Context(), tokenizer(t), 24, f)
}

func unzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRun(t *testing.T) {
	c := fixture(t, 5, 50)
	r, err := score(t, c, &fake{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.Topics != 5 || r.Rows != 250 || r.Scored+r.WithoutText != 250 || r.TopicsWithout != 1 || r.WithoutText < 50 || r.Batches < 2 {
		t.Errorf("%+v", r)
	}
	if r.PaddedTokens < r.Tokens || float64(r.PaddedTokens) > 1.2*float64(r.Tokens) {
		t.Errorf("%d tokens with padding are %d: batches are not formed by length", r.Tokens, r.PaddedTokens)
	}
	text := unzip(t, c.runFile())
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 250 {
		t.Fatalf("%d lines", len(lines))
	}
	seen := map[string]bool{}
	last := map[string]float64{}
	for i, line := range lines {
		var topic, q0, patent, tag string
		var rank int
		var value float64
		if n, err := fmt.Sscan(line, &topic, &q0, &patent, &rank, &value, &tag); n != 6 || err != nil {
			t.Fatalf("line %d: %q", i, line)
		}
		before, later := last[topic]
		if seen[topic+patent] || rank != i%50+1 || later && value > before || tag != "model" {
			t.Errorf("line %d: %q", i, line)
		}
		seen[topic+patent], last[topic] = true, value
		if topic == "PAC-2" && patent != fmt.Sprintf("EP-%07d", 1000000+(2*31+(rank-1)*17)%200) {
			t.Errorf("a topic without text is not in the order of the pool: %q", line)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(c.runsDir(), ".*parts")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if j, err := c.begin(); err != nil {
		t.Fatal(err)
	} else if again, ok := c.finished(j.identity); !ok || !again.Skipped || again.Scored != r.Scored {
		t.Errorf("a second run is not skipped: %+v, %v", again, ok)
	}
}

// TestKilledRunGoesOn stops a run at every batch and starts it again.
// TestDepth compares a run of the first 20 candidates with the run of all.
func TestDepth(t *testing.T) {
	c := fixture(t, 3, 50)
	if _, err := score(t, c, &fake{}); err != nil {
		t.Fatal(err)
	}
	whole := unzip(t, c.runFile())
	c.Depth = 20
	r, err := score(t, c, &fake{})
	if err != nil || r.Rows != 150 || r.BehindDepth != 90 || r.Scored+r.WithoutText != 60 {
		t.Fatalf("%+v, %v", r, err)
	}
	order := map[string][]string{} // topic → patents of the whole run, then of the shallow one
	for _, text := range []string{whole, unzip(t, c.runFile())} {
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			order[fields[0]] = append(order[fields[0]], fields[2])
		}
	}
	err = findGroupsOf(t, c).each(t.Context(), func(g *group) error {
		all, shallow := order[g.topic][:50], order[g.topic][50:]
		scored := map[string]bool{}
		for _, row := range g.rows[:20] {
			scored[row.patent] = true
		}
		var want []string
		for _, patent := range all {
			if scored[patent] {
				want = append(want, patent)
			}
		}
		for _, row := range g.rows[20:] {
			want = append(want, row.patent)
		}
		if !slices.Equal(shallow, want) {
			t.Errorf("%s: got %v, want %v", g.topic, shallow, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func findGroupsOf(t *testing.T, c Config) groups {
	t.Helper()
	g, err := findGroups(c.pairsDir())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestKilledRunGoesOn(t *testing.T) {
	c := fixture(t, 7, 30)
	c.Window, c.BatchTokens = 2, 600
	whole, err := score(t, c, &fake{})
	if err != nil {
		t.Fatal(err)
	}
	want := unzip(t, c.runFile())
	for at := 1; at <= whole.Batches; at += 2 {
		c.Run = fmt.Sprintf("other%d", at)
		if _, err := score(t, c, &fake{failAt: at}); !errors.Is(err, errKilled) {
			t.Fatalf("killed at batch %d: %v", at, err)
		}
		r, err := score(t, c, &fake{})
		if err != nil || !r.Complete || at > whole.Batches/2 && r.ResumedTopics == 0 {
			t.Fatalf("resumed at batch %d: %+v, %v", at, r, err)
		}
		if got := strings.ReplaceAll(unzip(t, c.runFile()), " "+c.Run+"\n", " model\n"); got != want {
			t.Fatalf("resumed at batch %d: another run", at)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.Run = "stopped"
	j, err := c.begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.run(ctx, tokenizer(t), 24, &fake{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestShardsMakeOneRun(t *testing.T) {
	c := fixture(t, 9, 20)
	if _, err := score(t, c, &fake{}); err != nil {
		t.Fatal(err)
	}
	want := strings.Split(unzip(t, c.runFile()), "\n")
	c.Run = "sharded"
	for i := 1; i <= 3; i++ {
		c.Shard = fmt.Sprintf("%d/3", i)
		r, err := score(t, c, &fake{})
		if err != nil || r.Complete != (i == 3) || r.Topics != 3 {
			t.Fatalf("shard %d: %+v, %v", i, r, err)
		}
	}
	got := strings.Split(strings.ReplaceAll(unzip(t, c.runFile()), "sharded", "model"), "\n")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Error("three shards make another run than one process")
	}
}

// TestPartsOfAnotherCheckpointAreNotMixedIn: a killed run left parts, and then the weights changed.
func TestPartsOfAnotherCheckpointAreNotMixedIn(t *testing.T) {
	c := fixture(t, 6, 30)
	c.Window = 1
	if _, err := score(t, c, &fake{failAt: 4}); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	j, err := c.begin()
	if err != nil {
		t.Fatal(err)
	}
	release, err := j.claim(j.identity) // a process that is still at work
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(c.Checkpoint, "model.safetensors"), "other weights")
	if _, err := score(t, c, &fake{}); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "another checkpoint") {
		t.Errorf("error %v", err)
	}
	release()
	if r, err := score(t, c, &fake{}); err != nil || r.ResumedTopics != 0 || !r.Complete {
		t.Errorf("%+v, %v", r, err)
	}
	if n, err := ReadNote(c.Workspace, c.Run); err != nil || n.Pairs != c.Pairs || n.Result.Rows != 180 {
		t.Errorf("note %+v, %v", n, err)
	}
}

// TestRunWithoutItsNoteIsMadeAgain: killed between the two files, the parts still stand.
func TestRunWithoutItsNoteIsMadeAgain(t *testing.T) {
	c := fixture(t, 2, 10)
	if _, err := score(t, c, &fake{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(c.noteFile()); err != nil {
		t.Fatal(err)
	}
	j, err := c.begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := j.finished(j.identity); ok {
		t.Error("a run without a note is taken for finished")
	}
	if r, err := score(t, c, &fake{}); err != nil || !r.Complete {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCurrentModel(t *testing.T) {
	c := fixture(t, 2, 10)
	best := c.Checkpoint
	c.Checkpoint = workspace.Current
	if _, err := c.begin(); fault.KindOf(err) != fault.Usage || !strings.Contains(fmt.Sprint(err), "no current model") {
		t.Errorf("error %v", err)
	}
	if err := os.MkdirAll(filepath.Dir(c.Workspace.ModelCheckpoint("v7")), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(best, c.Workspace.ModelCheckpoint("v7")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("v7", filepath.Join(c.Workspace.Models(), workspace.Current)); err != nil {
		t.Fatal(err)
	}
	if r, err := score(t, c, &fake{}); err != nil || !r.Complete || r.Model != "v7" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBadInput(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*testing.T, *Config)
		kind   fault.Kind
		says   string
	}{
		"no checkpoint": {func(_ *testing.T, c *Config) { c.Checkpoint = "" }, fault.Usage, "--checkpoint is missing"},
		"empty folder":  {func(t *testing.T, c *Config) { c.Checkpoint = t.TempDir() }, fault.Usage, "no checkpoint of dssdnet train"},
		"no pairs":      {func(_ *testing.T, c *Config) { c.Pairs = "x" }, fault.Rejected, "run dssdnet sample"},
		"run":           {func(_ *testing.T, c *Config) { c.Run = "" }, fault.Usage, "--run"},
		"pairs":         {func(_ *testing.T, c *Config) { c.Pairs = "../x" }, fault.Usage, "--pairs"},
		"precision":     {func(_ *testing.T, c *Config) { c.Precision = "int8" }, fault.Usage, "--precision"},
		"shard":         {func(_ *testing.T, c *Config) { c.Shard = "3/2" }, fault.Usage, "--shard"},
		"shard text":    {func(_ *testing.T, c *Config) { c.Shard = "1/2x" }, fault.Usage, "--shard"},
		"window":        {func(_ *testing.T, c *Config) { c.Window = 0 }, fault.Usage, "--window"},
		"batch":         {func(_ *testing.T, c *Config) { c.BatchTokens = 1 }, fault.Usage, "--batch-tokens"},
		"device":        {func(_ *testing.T, c *Config) { c.Device = "tpu" }, fault.Usage, "tpu"},
		"cut groups":    {func(t *testing.T, c *Config) { put(t, filepath.Join(c.pairsDir(), "test-00000.arrow"), "ARROW1") }, fault.Rejected, "test-00000.arrow"},
	} {
		c := fixture(t, 1, 3)
		test.change(t, &c)
		err := c.Validate()
		if err == nil {
			var j *job
			if j, err = c.begin(); err == nil {
				_, err = j.run(t.Context(), tokenizer(t), 24, &fake{})
			}
		}
		if fault.KindOf(err) != test.kind || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: error %v, want one about %q", name, err, test.says)
		}
	}
}

// TestPairsAreCutAsTheTokenizerCutsThem compares with the tokenizer's own pairs.
func TestPairsAreCutAsTheTokenizerCutsThem(t *testing.T) {
	tok := tokenizer(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 30).Draw(t, "words"), " ")
		})
		p := wordpiece.Pair{A: text.Draw(rt, "a"), B: text.Draw(rt, "b")}
		maxTokens := rapid.IntRange(8, 40).Draw(rt, "max")
		want, second := tok.AppendPair(nil, p, maxTokens)
		x := newTexts(tok, maxTokens)
		encode := func(s string) encoded {
			ids := tok.Append(nil, s)
			return encoded{ids: x.keep(ids[:min(len(ids), maxTokens-specials)]), full: len(ids)}
		}
		one := pair{a: encode(p.A), b: encode(p.B)}
		one.keepA, one.keepB = x.lengths(one.a, one.b)
		m := x.matrix([]pair{one})
		if m.length != len(want) {
			rt.Fatalf("%d tokens, want %d", m.length, len(want))
		}
		for i := range want {
			if m.ids[i] != int64(want[i]) || (m.types[i] == 1) != (i >= second) || m.mask[i] != 1 {
				rt.Fatalf("token %d of %v is %d of type %d", i, want, m.ids[i], m.types[i])
			}
		}
	})
}

func TestEqualScoresAndNoNumbers(t *testing.T) {
	rows := []scoredRow{
		{candidate{"EP-1", 0, 1}, 0, false}, {candidate{"EP-2", 0, 2}, 1, true}, {candidate{"EP-9", 0, 3}, 1, true}, {candidate{"EP-3", 0, 4}, 2, true}, {candidate{"EP-4", 0, 5}, 0, false},
	}
	rank(rows)
	text, err := appendLines(nil, "T", rows, "m")
	const want = "T Q0 EP-3 1 2 m\nT Q0 EP-9 2 1 m\nT Q0 EP-2 3 1 m\nT Q0 EP-1 4 0.999999 m\nT Q0 EP-4 5 0.999998 m\n"
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
	rows[0].score = float32(math.Inf(1))
	if _, err := appendLines(nil, "T", rows, "m"); err == nil || !strings.Contains(err.Error(), "topic T and patent EP-3 is +Inf") {
		t.Errorf("error %v", err)
	}
}
