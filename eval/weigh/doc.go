// Package weigh is the stage `dssdnet eval weigh`: the weight with which a model and its pool are mixed, chosen on
// validation topics.
//
// In: the runs of a model's seeds over the validation topics (`sample --groups-only`, then `rerank`), the pool that they
// re-ranked, and the qrels of these topics.
//
// Out: reports/<name>/weights.json, the measures of the mixture at every weight from 0, the pool alone, to 1, the model
// alone. The chosen one has the highest average, over topics and seeds, of the first measure; of equal ones the lowest, which leans
// on the pool.
//
// A weight that was chosen on the topics that are reported says nothing: they are chosen on one set and reported on another.
package weigh
