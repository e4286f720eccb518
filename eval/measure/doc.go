// Package measure says how good a ranking is: one measure a file, with its formula and where it comes from.
//
// A measure sees a [Topic]: how many golds there are, and the ranks and grades of those that were found. It never sees
// the ranking, so it cannot take its ideal from it, and n counts golds that no pool holds as well. A topic without a
// ranking is the Topic with no ranks, and scores 0.
//
// Names are a small language that parses and prints back: PRES@100, AP(rel=2)@400, RR. trec_eval's names are read too
// (map_cut_100, recall.200); see [Parse].
package measure
