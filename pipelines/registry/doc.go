// Package registry keeps the models of a workspace: every version that a gate judged, and which of them is current.
//
//	models/v3/model.json     what the version is made of, its figures, and what the gate said: Model
//	models/v3/checkpoint/    its weights and tokenizer, hard links to those of the training where the disk allows it
//	models/current           relative link to a version's folder
//	models/history.jsonl     every registration and every move of the link, oldest first: Event
//
// # Promises
//
// A version's folder appears whole or not at all, and nothing in it changes afterwards. current always points to a whole
// version: it is replaced by a rename. A number is given once, also when its folder is removed or was never finished.
//
// The history is written before what it tells of. Who takes the lock after a kill finishes the move that the history
// ends with, and removes half-made folders; until then readers see the state before the move. One process at a time
// changes the registry; another is refused and told who it is. Readers need no lock.
package registry
