// Package inspect answers questions about the index, so that an analyst can trust a pool: `dssdnet index stats`,
// `dssdnet index explain TOPIC PATENT` and `dssdnet index search -q "words"`.
//
// [Stats] tells what the index is made of, [Explain] takes one score of one pool apart, and [Ask] searches for words.
// All of them only read.
package inspect
