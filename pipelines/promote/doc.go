// Package promote is the stage `dssdnet promote`: a freshly trained model becomes the current one, if it is not worse.
//
// In: checkpoints/<training>/best, the run that it made of the test groups (dssdnet rerank), qrels of the test topics,
// and the current model.
//
// Out: a version in models/ (package registry), models/current when the gate let it pass, reports/<name>/gate.json for
// the report, and runs/<baseline>.trec.gz: the current model's run of the same test groups, which is made here unless it
// is there.
//
// # Promises
//
// Both models have scored the same candidates of the same topics, with the same precision; a run that another checkpoint
// or other groups made is refused. A topic that a run lacks counts 0. The difference of the means is tested as dssdnet
// eval compare does it, topic by topic.
//
// The candidate passes unless it loses significantly, or loses more than MaxLoss; with RequireGain only if it gains
// significantly. Without a current model it passes as the first. One that gives all candidates of every topic the same
// score never does.
//
// A candidate is judged once: the same weights with the same run keep their version and its decision, whatever the rule
// and the current model are by then. A version that a person rolled back therefore stays so. A refusal is an error of
// kind fault.GateRefused, each time, and everything is written before it is returned.
//
// Killed at any moment, the current model is a whole one, and the same call ends what was begun.
package promote
