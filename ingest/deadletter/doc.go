// Package deadletter keeps the documents that could not be read, with the reason, in the topic patents.dlq.
//
// In: letters of the stages publish and parse ([Writer]). Out: what is in the topic, each trouble once ([List]), and
// the failed records back in the topic they came from, once their cause is mended ([Replay]).
//
// Promised: Write returns when every replica has the letters, so a stage may move on. A letter is a record that Kafka
// Connect's tools can read: headers __connect.errors.*, the key, value, headers and time of the record that failed. A
// stage that is killed may write a letter twice; List and Replay see it once. Both read the topic as a stream: their
// memory is bounded by Config.Limit and Config.DedupeKeys.
package deadletter
