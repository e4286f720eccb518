package arrowfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/schemas"
)

func pair(doc, source string, label int8, abstract string) Pair {
	return Pair{
		Judged: Judged{TopicID: "PAC-1", QueryID: "EP-1000001", DocID: doc, Label: label, Domain: label, DomainKnown: true,
			DomainSection: 1, DomainClass: label, DomainIPC3: label, Source: source, PoolRank: 7},
		QueryTitle: "Mixer", QueryAbstract: "A mixer for 10 µl", DocTitle: "Rod", DocAbstract: abstract,
	}
}

func write[R any](t *testing.T, path string, table Table[R], o Options, batches ...[]R) {
	t.Helper()
	w, err := Create(path, table, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range batches {
		for i := range batch {
			if err := w.Append(&batch[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func read[R any](t *testing.T, path string, table Table[R]) (batches [][]R) {
	t.Helper()
	r, err := Open(path, table)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range r.Batches() {
		rows, err := r.Read(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, rows)
	}
	return batches
}

// TestRoundTrip writes batches whose dictionary columns hold different words: the file format allows one dictionary.
func TestRoundTrip(t *testing.T) {
	want := [][]Pair{
		{pair("EP-2", SourceRandom, 0, ""), pair("EP-3", SourceGold, 1, "A rod.")},
		{pair("EP-4", SourceDomainBalanced, 0, "x")},
	}
	for _, compression := range []string{None, LZ4} {
		path := filepath.Join(t.TempDir(), "train-00000.arrow")
		write(t, path, Pairs, Options{Compression: compression, Metadata: []string{"dssdnet.seed", "7"}}, want...)
		if diff := cmp.Diff(want, read(t, path, Pairs)); diff != "" {
			t.Errorf("%s (- written, + read):\n%s", compression, diff)
		}
		r, err := Open(path, Pairs)
		if err != nil {
			t.Fatal(err)
		}
		seed, ok := r.Metadata("dssdnet.seed")
		if _, unknown := r.Metadata("nope"); seed != "7" || !ok || unknown {
			t.Errorf("%s: seed is %q", compression, seed)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGroupsAndTexts(t *testing.T) {
	dir := t.TempDir()
	groups := [][]Judged{{pair("EP-2", SourcePool, 0, "").Judged}, {pair("EP-3", SourceGold, 1, "").Judged}}
	write(t, filepath.Join(dir, "g"), Groups, Options{}, groups...)
	if diff := cmp.Diff(groups, read(t, filepath.Join(dir, "g"), Groups)); diff != "" {
		t.Error(diff)
	}
	texts := [][]Text{{{Kind: KindTopic, ID: "PAC-1", Title: "Mixer"}, {Kind: KindPatent, ID: "EP-2", Abstract: "A rod."}}}
	write(t, filepath.Join(dir, "t"), Texts, Options{}, texts...)
	if diff := cmp.Diff(texts, read(t, filepath.Join(dir, "t"), Texts)); diff != "" {
		t.Error(diff)
	}
}

func TestEqualRowsGiveEqualBytes(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, fmt.Sprint(i))
		write(t, path, Pairs, Options{Compression: LZ4, Metadata: []string{"a", "1", "b", "2"}}, []Pair{pair("EP-2", SourceGold, 1, "x")})
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = data
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two files of equal rows differ")
	}
}

func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "valid-00000.arrow")
	write(t, path, Pairs, Options{})
	if got := read(t, path, Pairs); len(got) != 0 {
		t.Errorf("an empty file has batches: %v", got)
	}
}

// TestReadsGolden reads the golden file of schemas, which was not written by this package.
func TestReadsGolden(t *testing.T) {
	batches := read(t, filepath.Join("..", "testdata", "pairs-1.arrow"), Pairs)
	want := [][]Pair{{{
		Judged: Judged{TopicID: "PAC-1001", QueryID: "EP-1233512", DocID: "EP-0734121", Label: 1, Domain: 1, DomainKnown: true,
			DomainSection: 1, DomainClass: 1, DomainIPC3: 1, Source: SourceGold, PoolRank: 12},
		QueryTitle: "mixer", QueryAbstract: "mixer", DocTitle: "mixer",
	}}}
	if diff := cmp.Diff(want, batches); diff != "" {
		t.Error(diff)
	}
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "groups")
	write(t, path, Groups, Options{}, []Judged{pair("EP-2", SourcePool, 0, "").Judged})

	if _, err := Open(path, Pairs); err == nil || !strings.Contains(err.Error(), "not a pairs file") {
		t.Errorf("groups read as pairs: %v", err)
	}
	newer := Groups
	newer.Arrow.Version = 9
	write(t, filepath.Join(dir, "newer"), newer, Options{})
	if _, err := Open(filepath.Join(dir, "newer"), Groups); err == nil || !strings.Contains(err.Error(), "upgrade dssdnet") {
		t.Errorf("a newer version: %v", err)
	}
	if _, err := Create(filepath.Join(dir, "z"), Groups, Options{Compression: "zstd"}); err == nil || !strings.Contains(err.Error(), `"zstd"`) {
		t.Errorf("compression zstd: %v", err)
	}
	if _, err := Create(path, Groups, Options{}); err == nil {
		t.Error("Create replaced a file")
	}
	w, err := Create(filepath.Join(dir, "word"), Groups, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	row := pair("EP-2", "guess", 0, "").Judged
	if err := w.Append(&row); err == nil || !strings.Contains(err.Error(), `column source: "guess" is none of`) {
		t.Errorf("an unknown source: %v", err)
	}
}

// TestDamagedFiles cuts a file at many lengths, and flips bytes of its values: reading may succeed or fail, never
// panic.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "whole")
	write(t, path, Pairs, Options{}, []Pair{pair("EP-2", SourceGold, 1, "x")})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(data []byte) error {
		damaged := filepath.Join(dir, "damaged")
		if err := os.WriteFile(damaged, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(damaged, Pairs)
		if err != nil {
			return err
		}
		defer r.Close()
		for i := range r.Batches() {
			if _, err := r.Read(i, nil); err != nil {
				return err
			}
		}
		return nil
	}
	for n := 0; n < len(whole); n += 7 {
		if err := try(whole[:n]); err == nil {
			t.Errorf("a file cut at byte %d of %d reads", n, len(whole))
		}
	}
	for n := bytes.Index(whole, []byte("PAC-1")) - 8; n < bytes.LastIndex(whole, []byte("Rod"))+3; n++ {
		data := bytes.Clone(whole)
		data[n] ^= 0xff
		if err := try(data); err != nil && !strings.Contains(err.Error(), dir) {
			t.Errorf("the error does not name the file: %v", err)
		}
	}
}

func TestColumnsFollowTheSchema(t *testing.T) {
	for _, n := range []struct {
		table   schemas.ArrowTable
		columns int
	}{{Pairs.Arrow, len(Pairs.columns)}, {Groups.Arrow, len(Groups.columns)}, {Texts.Arrow, len(Texts.columns)}} {
		if len(n.table.Fields) != n.columns {
			t.Errorf("%s has %d fields, %d are moved", n.table.Name, len(n.table.Fields), n.columns)
		}
	}
}
