// Package member is a member of a Kafka consumer group whose position is a folder of files (package chain): what every
// stage needs that turns the records of a topic into files, each record once, alone or with others of its group.
//
// In: a topic, a group, the files, and a [Stage] that makes files of records. Out: calls of the stage, one goroutine
// for each partition that the group gives to this member.
//
// Promised:
//   - A run starts only when the files belong to the topic: no other cluster's, none of a topic that was deleted and
//     made again. That is checked again for each partition that comes later, and for the record before the first one
//     that is read.
//   - The files decide where to go on. Offsets committed to Kafka are a hint for others. An owner that was too slow
//     ([chain.ErrTaken]) goes on after the files of the one that was faster.
//   - A broker that goes away is waited for. A bounded run gives up when nothing has come of that for MaxWait.
//   - A bounded run (UntilEnd) ends when the files of all partitions reach the offsets at which the topic ended when it
//     began, whichever member wrote them.
//
// The way of a record: member.go checks files and topic, group.go joins the group and makes a [Partition] for each
// partition it is given (partition.go), which the stage reads as a [Stream] (stream.go). goal.go knows when all is done.
package member
