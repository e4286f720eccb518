package cluster

import (
	"fmt"
	"slices"
	"testing"

	"github.com/segmentio/kafka-go"
)

func TestBatch(t *testing.T) {
	c := start(t)
	if err := EnsureTopic(t.Context(), c, "numbers", 1, nil); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	b, err := NewBatch(c, "numbers", "numbers", 3, nil, func(sent []kafka.Message) { sizes = append(sizes, len(sent)) })
	if err != nil {
		t.Fatal(err)
	}
	for n := range 7 {
		if err := b.Add(t.Context(), kafka.Message{Value: fmt.Append(nil, n)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second has nothing to write
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if !slices.Equal(sizes, []int{3, 3, 1}) {
		t.Errorf("written in batches of %v", sizes)
	}
	if spans, err := Spans(t.Context(), c, "numbers"); err != nil || spans[0].End != 7 {
		t.Errorf("the topic holds %v, %v", spans, err)
	}
}
