// Package enqueue puts topics into a Kafka topic for the search workers: `dssdnet index enqueue`.
//
// In: topics/. Out: one record a topic in the Kafka topic queries, keyed by its id, as schemas.QueryMessage describes
// it. Any other producer of such records does as well.
//
// The run is skipped when the same topics have been put into the same Kafka topic before. A run that is killed is
// repeated whole: workers draw one pool for each topic id, however often it comes.
package enqueue
