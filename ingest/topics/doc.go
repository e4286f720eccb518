// Package topics turns topic sets as CLEF-IP distributes them into topics/.
//
// In: one of
//
//   - a topic file of the 2010 form: blocks of lines tagged <num>, <narr> and <file>, which looks like XML and is none
//     (no root, raw ampersands, closing tags that match nothing); <file> names the topic's patent document relative to
//     the topic file, or to a folder "files" beside it;
//   - a folder with such a topic file anywhere in it;
//   - a folder of patent documents without a topic file, the 2011 form: each document is a topic, and its ucid is the
//     topic's id;
//   - an archive (.zip, .tar, .tar.gz) of one of these folders.
//
// Out: topics/<set>.parquet, one row per topic in the order of topic ids, which stay as written so that they join
// qrels/. The patent documents are read as ingest reads them, but for their citations: the relevance judgements were
// made of these.
//
// A topic whose document is missing or cannot be read is a dead letter: listed with its reason and counted, while the
// others go on. A set without a single good topic is refused, and nothing is written.
//
// The file is replaced in one step. A second run with the same input and settings changes nothing and says so. Memory
// grows with the titles, abstracts and claims of the one set.
package topics
