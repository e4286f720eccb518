// Package repro is `dssdnet repro FILE.yaml`: does the pipeline still give the figures it gave?
//
// In: a matrix, a YAML file of conditions. Each has commands and the figures that they must leave in the workspace:
//
//	version: 1
//	about: BM25 on a small collection
//	vars: {shared: ../shared}            # ${shared} below; --set shared=DIR replaces it; ${workspace} is known
//	conditions:
//	  - name: bm25
//	    needs: [tables]                  # conditions that run first
//	    requires: ["${shared}/data"]     # without which the condition is skipped
//	    commands:
//	      - dssdnet eval --set test --pool bm25 --report bm25
//	    expect:
//	      - {report: bm25, run: bm25, measure: Recall@100, value: 0.5117}
//	      - {report: bm25, run: bm25, slice: domain-ipc3 out, measure: PRES@100, value: 0.21, tolerance: 0.01}
//	      - {report: all, system: dssdnet, measure: AP@100, value: 0.1, tolerance: 0.02}   # mean over seeds
//	      - {file: manifests/merge.json, at: result.patents, value: 2000, tolerance: 0}
//
// Out: a verdict for every figure: OK within the tolerance (0.0001 when none is given), OKish within okish (ten times the
// tolerance when none is given), else FAIL; and reports/repro-<matrix>.md with a line for the log of reproductions.
//
// A command that fails ends its condition, and the conditions that need it; the others go on. Commands are run without a
// shell, in the current folder, and are those of dssdnet only. matrices/ has those that come with the program.
package repro
