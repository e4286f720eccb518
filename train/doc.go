// Package train is the stage `dssdnet train`: pairs/<name>/ and an encoder in, checkpoints/<run>/ out.
//
// loop.go reads top to bottom: settings, data, model, optimizer, then the steps. What it promises:
//
//   - A run is a function of its settings, its pairs and its seed. Stopped at any moment, by SIGKILL too, and started
//     again with Resume, it goes on from the newest checkpoint and ends with the same numbers as if it had never been
//     stopped, on one device with the same threads.
//   - With Init it starts from the weights of a checkpoint. Init current is the registry's current model, read once when
//     the run begins: it is no part of what a finished run depends on, or a promotion would make every run stale.
//   - With Replace a run of the same name that this one cannot go on from is dropped as a whole, and nothing of it stays.
//   - A checkpoint folder appears whole or not at all. `best` is the one with the lowest validation loss so far.
//   - Pairs are never held in memory all at once: a shuffle buffer and a few batches are.
//   - Nothing is trained on bad data: every shard is read once before the first step.
//
// A checkpoint is a Hugging Face folder whose encoder loads with transformers; the network above it lies in the same
// model.safetensors under "dssd.", its settings in config.json under "dssdnet".
package train
