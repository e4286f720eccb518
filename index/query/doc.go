// Package query turns topics into BM25 queries: the terms of some of a topic's texts, and which patents cannot be
// hits. Every stage and question that ranks the patents of the index for a topic goes through it, so an explanation
// explains the score in the pool.
package query
