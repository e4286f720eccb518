package wordpiece

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/train/peertest"
)

// BenchmarkPairs encodes pairs of about 150 words on one thread. With DSSDNET_PYTHON naming a Python that has
// tokenizers, the two take turns on the same pairs, and it reports how many times faster it is, by the clock
// ("x-wall-batch") and by processor time ("x-cpu-batch"). DSSDNET_VOCAB names a vocab.txt of a real model to use
// instead of the small one.
func BenchmarkPairs(b *testing.B) {
	const maxTokens = 128
	vocab := "testdata/vocab-uncased.txt"
	if path := os.Getenv("DSSDNET_VOCAB"); path != "" {
		vocab = path
	}
	k, err := Load(vocab, Options{})
	if err != nil {
		b.Fatal(err)
	}
	pairs := benchPairs(b)
	bytes := 0
	for _, p := range pairs {
		bytes += len(p.A) + len(p.B)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		k.Pairs(pairs, maxTokens, 1)
	}
	b.ReportMetric(float64(len(pairs)*b.N)/b.Elapsed().Seconds(), "pairs/s")
	turns, err := peertest.Take(5, func() error {
		k.Pairs(pairs, maxTokens, 1)
		return nil
	}, startTokenizers(b, vocab, maxTokens, pairs), "encode")
	if err != nil {
		b.Fatal(err)
	}
	turns.Report(b, "batch")
}

func benchPairs(b *testing.B) []Pair {
	b.Helper()
	var texts []string
	for _, v := range readVectors(b) {
		if v.Pair != nil {
			texts = append(texts, v.Text, *v.Pair)
		}
	}
	var pairs []Pair
	for i := range 500 {
		at := func(j int) string { return texts[(i*31+j)%len(texts)] }
		pairs = append(pairs, Pair{
			A: strings.Join([]string{at(0), at(1), at(2), at(3), at(4), at(5)}, " "),
			B: strings.Join([]string{at(6), at(7), at(8), at(9), at(10), at(11)}, " "),
		})
	}
	return pairs
}

func startTokenizers(b *testing.B, vocab string, maxTokens int, pairs []Pair) *peertest.Peer {
	b.Helper()
	var lines bytes.Buffer
	for _, p := range pairs {
		line, err := json.Marshal([]string{p.A, p.B})
		if err != nil {
			b.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(b.TempDir(), "pairs.jsonl")
	if err := os.WriteFile(path, lines.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return peertest.Start(b, "tokenizers", filepath.Join("testdata", "bench.py"), vocab, fmt.Sprint(maxTokens), path)
}
