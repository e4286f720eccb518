// Package publish puts patent documents from files into the topic patents.xml, one record for each.
//
// In: files, folder trees, and .zip, .tar, .gz, .tar.gz and .bz2 archives, also inside each other, of XML in which any
// number of documents follow each other. Out: records as schemas/kafka.go describes them, and a letter in the dead
// letter topic for every file or archive member that could not be read.
//
// Promised:
//   - A document counts when all replicas have acknowledged it. Brokers that go away or refuse records because the
//     spool is full are waited for, with a line in the log, until the context ends.
//   - Files are taken in the order of the arguments, folders in the order of their names, archives in their own. All
//     documents of a patent go to one partition in this order, whatever the number of readers.
//   - Nothing is decided about a document's content but its id: documents of unsupported roots are published too,
//     and refused with a reason by the consumer. A repetition publishes everything again, which adds no row.
//   - Memory does not grow with the number or size of files, archives and documents. At the worst it is five times the
//     document limit for each reader and two batches of 12 MiB for each of four partitions; 300 MB of patents in a
//     tar.gz and a document of 200 MB behind them took 36 MiB of heap, embedded broker included (TestMemory). Only the
//     names in one folder are held together, to sort them.
//   - What is wrong with one file stops that file only: documents before the damage are published, the one that a
//     wrong checksum may concern is not. A path that does not exist, or input without any document, is refused with
//     nothing written.
//
// Inside trees and archives, names that cannot be patents are passed over and counted: hidden files, DTDs, images,
// merged files of other tools (UN-*.xml) and so on. Links to files are followed; links to folders inside a tree are
// not, so that no loop of links can hold the walk: name the folder they lead to as an argument instead.
package publish
