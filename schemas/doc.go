// Package schemas is the vocabulary of the pipeline: the row types of every table, their Parquet and Arrow
// schemas, the Kafka topics with their record headers, and the version of each. It imports nothing else of this
// module, so every stage can speak it.
//
// A row type is the contract with whoever reads the files: a column is never renamed or retyped without a new
// version in its [Table], and a golden file of every version that is still readable lies in testdata.
package schemas
