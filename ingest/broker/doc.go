// Package broker is the embedded Kafka broker: what the stages talk to when no cluster is given.
//
// In: whatever Kafka clients send. Out: a log in the folder kafka/ of the workspace, served on a loopback port that is
// chosen once and kept, under a cluster id that is as old as the log.
//
// Promised:
//   - An acknowledged record survives SIGKILL of the process at any moment. With sync-writes, the default, it is on
//     the disk before it is acknowledged, which costs little because publishers send large batches: 632 instead of
//     733 MB/s at 12 MiB a batch, 121 instead of 259 MB/s at 64 KiB (BenchmarkProduce, 2 cores, a virtual disk).
//   - One process serves a workspace. Others join it, and one of them takes over, on the same port and log, when it
//     ends or is killed; clients reconnect by themselves.
//   - The spool is bounded. Records of the document topic that every consumer group of that topic has passed are
//     trimmed; while more than the limit is waiting to be consumed, producers are refused with the retriable error
//     THROTTLING_QUOTA_EXCEEDED. The limit exists because after an unclean stop the whole log is read into memory.
//     A partition nobody has committed in is never trimmed, nor is any other topic.
//
// The log is for the way from publish to consume, not an archive: collections stay where they are and are published
// again when needed. A real cluster takes its place with --brokers.
package broker
