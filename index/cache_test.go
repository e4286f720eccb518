package index

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

func TestCacheDropsTheLeastRecentlyUsed(t *testing.T) {
	one := (&Postings{Docs: make([]uint32, 100)}).size() + 1
	c := newCache(3 * one)
	loads := make(map[string]int)
	get := func(term string) {
		t.Helper()
		_, err := c.get(cacheKey{0, term}, func() (*Postings, error) {
			loads[term]++
			return &Postings{Docs: make([]uint32, 100)}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, term := range []string{"a", "b", "c", "a", "d", "a", "c", "d", "b"} {
		get(term)
	}
	if want := map[string]int{"a": 1, "b": 2, "c": 1, "d": 1}; fmt.Sprint(loads) != fmt.Sprint(want) {
		t.Errorf("loads %v, want %v", loads, want)
	}
	if s := c.statistics(); s.Bytes != 3*one || s.Hits != 4 || s.Misses != 5 {
		t.Errorf("statistics %+v", s)
	}
}

func TestCacheLoadsOnceAndForgetsFailures(t *testing.T) {
	c := newCache(1 << 20)
	var loads atomic.Int64
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			list, err := c.get(cacheKey{0, "x"}, func() (*Postings, error) {
				loads.Add(1)
				return &Postings{Docs: []uint32{7}}, nil
			})
			if err != nil || len(list.Docs) != 1 {
				t.Errorf("got %v, %v", list, err)
			}
		})
	}
	group.Wait()
	if loads.Load() != 1 {
		t.Errorf("loaded %d times", loads.Load())
	}
	failure := errors.New("disk")
	if _, err := c.get(cacheKey{0, "y"}, func() (*Postings, error) { return nil, failure }); !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
	if list, err := c.get(cacheKey{0, "y"}, func() (*Postings, error) { return &Postings{}, nil }); err != nil || list == nil {
		t.Errorf("after a failure: %v, %v", list, err)
	}
}
