// Package publish puts a pool into a Kafka topic: `dssdnet index search --topic`.
//
// In: pools/<name>/. Out: one record a topic of the pool in the Kafka topic pools, keyed by the topic's id, as
// schemas.PoolMessage describes it. Topics without candidates have a record too.
//
// The Kafka topic is made compacted: of two pools of one topic the later stays. The run is skipped when the same pool
// has been put into the same Kafka topic before; a run that is killed is repeated whole and changes nothing for who
// reads the newest record of each key.
package publish
