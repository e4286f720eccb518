// Package pool is the folder pools/<name>/: the candidates of each topic in the order of their scores, the input of
// the sampler and of every re-ranker.
//
// It holds files of the table pools, queries.jsonl with one line a topic that says how its pool came about (topics
// without candidates have no other trace), and manifest.json with the settings, the index build and the quality. A
// pool is written into a folder of its own and put in place in one step.
package pool
