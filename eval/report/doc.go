// Package report is the stage `dssdnet eval report`: what package compare knows, as pages for people.
//
// Out: reports/<name>/ with
//
//	report.html   one file that needs no network: light and dark, wide and narrow
//	report.md     tables for a pull request or a mail
//	report.json   everything that the page shows: Data
//
// and the files of package eval. The page holds its data, style and code; assets/ are their sources. Texts of patents
// come into it as text, never as markup.
//
// The topic explorer has ExploreTopics topics: those whose value changes most, and others at even distances. Memory: the
// ids of the baseline's rankings, and the first ExploreDepth candidates of every topic and run.
package report
