// Package rerank is the stage `dssdnet rerank`: a checkpoint scores the test groups of pairs/<name>/, and the new order
// becomes a run.
//
// In: a checkpoint folder of dssdnet train, and test-*.arrow and texts.arrow of dssdnet sample.
//
// Out: runs/<name>.trec.gz, a TREC run (topic Q0 patent rank score tag) with every row of every group, and
// runs/<name>.json that says what it was made from.
//
// # Promises
//
// A score is the model's logit difference, in float32: the order of its probabilities without their saturation. Rows are
// ordered by score, equal scores by patent descending, as trec_eval reads them. A row without a text, of its topic or
// of its patent, cannot be scored: such rows come after the scored ones in the order of the pool, and are counted. A
// score that is no number fails the run and names the pair.
//
// Each text is tokenized once. Batches are formed by length over a window of topics, so that little is padded. What a
// batch holds depends on the groups, the window and the shard only: a run that was killed and goes on is equal to the
// byte to one that was not.
//
// Topics are divided by --shard i/n over processes, which share nothing but the folder: each leaves its part of the run
// in runs/.<name>.parts/, and the one that completes them puts the run together, window by window. A killed process loses
// the window it was at. A run that would be made again is skipped. Under the name of a run of another checkpoint or other
// groups the new run takes the old one's place when it is whole; parts that a killed process left of another are
// dropped, unless a process is still making them.
//
// Memory: the tokens of the shard's patents, about 4 bytes a token and at most --max-tokens of them each, and the rows of
// one window.
package rerank
