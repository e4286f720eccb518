// Package arrowfile writes and reads the Arrow IPC files of pairs/<name>/: rows in, rows out, a record batch at a
// time. It is the one package beside schemas that knows an Arrow library.
//
// A file is written in the IPC file format, uncompressed or with LZ4 frames, so that it can be mapped into memory and
// read at any batch. Dictionary columns have a fixed dictionary, given with the table: the file format allows one
// dictionary per column, and equal rows give equal bytes. Every file carries the schema tag of its table in the
// schema's metadata, and a reader refuses versions that it does not know. A file that was cut short or whose values
// are damaged gives an error; against other damage the Arrow library has no guard, so whoever writes files keeps a
// hash of each.
//
// Strings that a reader returns refer to the memory of their record batch. The garbage collector frees it, so they
// stay valid for as long as anyone holds one; a row that outlives its batch keeps the whole batch.
package arrowfile
