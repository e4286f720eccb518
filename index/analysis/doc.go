// Package analysis turns text into the terms of the index. The same analyzer reads the patents when the index is
// built and the topics when it is searched; its name, with a version, stands in the index manifest, and an index of
// another version is not searched.
//
// Text is cut at the word boundaries of Unicode annex 29, words are lower-cased and lose a possessive ending,
// English stop words are left out, and the rest is stemmed by Porter2 (Snowball 2's English, which Lucene has too).
package analysis
