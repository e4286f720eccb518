package main

import (
	"bytes"
	"testing"
)

func TestPrintResult(t *testing.T) {
	type span struct {
		Partition int   `json:"partition"`
		Last      int64 `json:"last"`
	}
	result := struct {
		Documents int64            `json:"documents"`
		Skipped   bool             `json:"skipped"`
		Topic     string           `json:"topic"`
		Empty     string           `json:"empty"`
		Seconds   float64          `json:"seconds"`
		Junk      map[string]int64 `json:"junk"`
		None      map[string]int64 `json:"none"`
		Spans     []span           `json:"spans"`
	}{1234567, true, "patents.xml", "", 0.25, map[string]int64{"hidden": 2, "image": 1}, nil, []span{{0, 9}, {1, 12000}}}
	var b bytes.Buffer
	a := newApp(&b, &b)
	if err := a.printResult(result); err != nil {
		t.Fatal(err)
	}
	want := `documents                1,234,567
skipped                  yes
topic                    patents.xml
seconds                  0.25
junk                     hidden 2, image 1
spans
                         partition 0, last 9
                         partition 1, last 12,000
`
	if b.String() != want {
		t.Errorf("printed\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	a.global.JSON = true
	if err := a.printResult(span{1, 2}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "{\"partition\":1,\"last\":2}\n" {
		t.Errorf("as JSON: %s", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s, want %s", n, got, want)
		}
	}
}
