package index

import (
	"container/list"
	"sync"
)

// cache keeps decoded postings, the least recently used dropped when they exceed limit bytes. Each list is decoded
// once however many ask for it at the same time. It is safe for concurrent use.
type cache struct {
	limit int64

	mu      sync.Mutex
	bytes   int64
	entries map[cacheKey]*list.Element
	recent  list.List // of *cacheEntry, the most recently used first
	stats   CacheStats
}

// CacheStats says how often postings were found in memory, and what it holds.
type CacheStats struct {
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
	Bytes  int64 `json:"bytes"`
}

type cacheKey struct {
	field int
	term  string
}

type cacheEntry struct {
	key   cacheKey
	ready chan struct{} // closed when the fields below are set
	list  *Postings
	err   error
	bytes int64 // 0 until counted in cache.bytes
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, entries: make(map[cacheKey]*list.Element)}
}

func (c *cache) get(key cacheKey, load func() (*Postings, error)) (*Postings, error) {
	c.mu.Lock()
	if element, ok := c.entries[key]; ok {
		c.stats.Hits++
		c.recent.MoveToFront(element)
		c.mu.Unlock()
		entry := element.Value.(*cacheEntry)
		<-entry.ready
		return entry.list, entry.err
	}
	c.stats.Misses++
	entry := &cacheEntry{key: key, ready: make(chan struct{})}
	element := c.recent.PushFront(entry)
	c.entries[key] = element
	c.mu.Unlock()

	entry.list, entry.err = load()
	close(entry.ready)

	c.mu.Lock()
	defer c.mu.Unlock()
	if entry.err != nil {
		c.drop(element)
		return nil, entry.err
	}
	entry.bytes = entry.list.size() + int64(len(key.term))
	c.bytes += entry.bytes
	for at := c.recent.Back(); at != nil && c.bytes > c.limit; {
		before := at.Prev()
		if at.Value.(*cacheEntry).bytes > 0 { // else another goroutine is decoding it
			c.drop(at)
		}
		at = before
	}
	return entry.list, nil
}

func (c *cache) drop(element *list.Element) {
	entry := element.Value.(*cacheEntry)
	c.bytes -= entry.bytes
	c.recent.Remove(element)
	delete(c.entries, entry.key)
}

func (c *cache) statistics() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Bytes = c.bytes
	return stats
}
