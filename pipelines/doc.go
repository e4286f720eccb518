// Package pipelines is `dssdnet run`: the stages as steps of a file, each run when something has changed for it.
//
// In: a pipeline file, the workspace, and whatever the steps read. Out: the tables of the stages, a record of each step
// in manifests/steps/, and run_results.json.
//
//	version: 1
//	name: demo
//	about: what it is for
//	vars: {patents: 4000, collection: null}   # ${patents} below; null must be set: --set collection=DIR
//	steps:
//	  - step: publish                         # a name of its own
//	    stage: ingest publish                 # the command
//	    args: ["${collection}"]               # its arguments
//	    with: {partitions: 4}                 # its flags; the environment and the config file count as for the command
//	  - step: baseline
//	    stage: rerank
//	    with: {checkpoint: current, pairs: test, run: baseline}
//	    if-exists: ${workspace}/models/current # left out unless there is that
//
// ${workspace} is always known, $$ is a dollar sign. A step runs by the Go function that its command calls, in this
// process.
//
// # Order
//
// What a stage reads and writes follows from its settings. A step comes after the steps that write what it reads; steps
// that do not need each other stay in the order of the file. models/ is the exception, for a retraining reads the current
// model and in the end replaces it: there the order of the file says who reads which.
//
// # Skipping
//
// A step is skipped when its record still holds: the same inputs, arguments, settings and build of dssdnet, and its
// outputs as it left them. Data up to 256 MiB are compared by content, larger ones by names, sizes and modification times,
// a Kafka topic by its end offsets. Times are only ever compared for equality: a clock that jumps changes no decision.
// A step for which only the current model has changed, the one that a later step of the same pipeline makes, is run when
// one that reads its outputs has another reason to run: nothing new is no reason to train again.
//
// # Promises
//
//   - A file that is wrong, a cycle, an input that is not there and that no step writes, a workspace of a newer dssdnet, a
//     full disk: an error before anything is run.
//   - One run at a time works on a workspace (ErrHeld).
//   - Killed at any moment, the same call goes on with the step that was under way.
//   - A gate that refuses ends no run: the steps after it are run, and then the error is that of the gate.
package pipelines
