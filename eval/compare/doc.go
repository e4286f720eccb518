// Package compare is the stage `dssdnet eval compare`: is one run better than another, and on which topics?
//
// In: what package eval takes; the first run, or Baseline, is what the others are compared with. Runs whose names differ
// in their seed only (dssdnet-seed1, dssdnet-seed2 ...) are one system: its value of a topic is the mean over them, and
// their deviation is shown.
//
// Out: reports/<name>/compare.json and compare.csv: for every system and measure the difference of the means, the
// topics won and lost, a confidence interval and a p-value, and the topics with the biggest gains and losses with
// their texts.
//
// The p-value is that of the paired randomization test, two-sided (Smucker, Allan and Carterette, CIKM 2007): how often
// a difference as large turns up when each topic's two values are swapped by the toss of a coin. With up to 20 topics
// that differ all swaps are tried, with more a sample. The interval is the percentile bootstrap over topics. Where
// several systems are compared with one baseline, holm is the p-value with Holm's correction over them, by measure.
//
// A result depends on the seed and the values, not on the number of cores or the other systems.
package compare
