// Package synth makes collections of patents that behave like CLEF-IP and belong to nobody: for demonstrations,
// tests and benchmarks of any size.
//
// In come a seed and a number of patents. Out comes a folder:
//
//	collection/              the XML documents, EP/000000/05/00/01/EP-0050001-A2.xml, or archives of them
//	topics-{train,valid,test}/PAC_topics.xml and files/   topics, without their citations
//	qrels-{train,valid,test}.txt   topic, 0, patent, grade: 2 for search report categories X and Y, 1 for A
//	synth.json               the settings, and what reading the collection must give; written last
//
// A seed names a universe, an endless row of patents, and each patent is a pure function of the seed and its
// number. So memory does not grow with the collection, workers need not talk, two runs give the same bytes, and
// patents K+1 to M of a universe are the batch that follows the collection 1 to K: together they are the same
// files as the collection 1 to M. The newest patent sets the date of a collection: grants and search reports that
// came out later are not in it, and a later batch brings them.
//
// What is made to behave like the real thing:
//
//   - Documents: A1, or A2 and a later A3, or a Euro-PCT A1 without text and an A4; grants with claims in three
//     languages and no abstract; front pages without description; divisions that share a family. About 1.6
//     documents a patent. English, German and French in the shares of the CLEF-IP 2010 topics.
//   - Dates: priority, filing, publication and grant in order; the number of patents grows by a constant factor,
//     so just over half of any collection is prior art to its newest patents.
//   - Themes: small groups of patents on one invention that split over the years; each lies in one IPC subclass
//     and has a twin with the same ideas in another. A patent cites earlier patents of its theme, and with
//     probability CrossSubclassShare patents without a common subclass, mostly of the twin.
//   - Words follow Zipf's law, with a long tail. Function and common words are of the language; the others are
//     made up: a list for each subclass, and concepts for each theme. A concept has two or three synonyms and a
//     patent prefers one, so relatives need not share words: BM25 finds some of the golds, and who learns the
//     synonyms from the pairs finds more.
//   - Topics are whole applications of the newest third, the newest of them for testing. A topic has 1 to 12
//     golds, 5 in the median, all older than its priority date and in the collection.
//   - Hazards, on demand: the known defects of patent XML, each with the rows and dead letters it must end as.
package synth
