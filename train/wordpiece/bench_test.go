package wordpiece

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// BenchmarkPairs encodes pairs of about 150 words on one thread. With DSSDNET_PYTHON naming a Python that has
// tokenizers, it reports how many times faster it is than that library on the same pairs ("x-tokenizers").
// DSSDNET_VOCAB names a vocab.txt of a real model to use instead of the small one.
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
	if python := os.Getenv("DSSDNET_PYTHON"); python != "" {
		theirs := measureTokenizers(b, python, vocab, maxTokens, pairs)
		b.ReportMetric(theirs*float64(b.N)/b.Elapsed().Seconds(), "x-tokenizers")
	}
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

func measureTokenizers(b *testing.B, python, vocab string, maxTokens int, pairs []Pair) float64 {
	b.Helper()
	var in bytes.Buffer
	for _, p := range pairs {
		line, err := json.Marshal([]string{p.A, p.B})
		if err != nil {
			b.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command(python, "testdata/bench.py", vocab, fmt.Sprint(maxTokens))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("%s cannot run testdata/bench.py (pip install tokenizers): %v", python, err)
	}
	var got struct{ Seconds float64 }
	if err := json.Unmarshal(out, &got); err != nil {
		b.Fatal(err)
	}
	return got.Seconds
}
