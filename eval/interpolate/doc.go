// Package interpolate is the stage `dssdnet eval interpolate`: two runs of the same topics become one, by a weighted sum
// of their scores.
//
// In: the run of a re-ranker, and the pool that it re-ranked or another run.
//
// Out: runs/<name>.trec.gz, whose score is weight * model + (1 - weight) * base. The scores of a topic are put on one
// scale first: z has mean 0 and deviation 1, minmax goes from 0 to 1. A candidate that only one of the two has gets the
// other's lowest value. Topics that only one has keep its order.
//
// The weight is a setting of the whole, to be chosen on validation topics and never on those that are reported; the run
// is another system than the model, and is to be shown under a name of its own.
package interpolate
