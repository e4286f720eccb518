// Package patentxml reads patent XML: a [Cutter] cuts a stream into documents, a [Parser] turns each into a row.
//
// In: bytes as offices and collections deliver them, in any encoding, well-formed or not. Out: one schemas.Document or
// one [Rejection] for each document. Nothing panics, nothing is fetched: a DTD is never opened, neither from the network
// nor from disk. Memory is bounded by [Limits] and by the cap of the Cutter.
//
// # Reading a document
//
// encoding.go makes UTF-8 of the bytes, prolog.go finds the root and what an internal DTD subset declares, dialects.go
// finds the dialect of the root. A tokenizer then sends events to the [reader], which finds the place of each element in
// the dialect's grammar (place.go) and fills a draft; row.go makes the row.
// There are two tokenizers: gosax behind checks of our own (tokenize_fast.go), and encoding/xml (tokenize_slow.go), which
// reads again from the start what the fast one has doubts about and says what is wrong. The reader is the same, so that
// they cannot disagree about a field.
//
// Supported are the roots patent-document of CLEF-IP, MAREC and IFI CLAIMS (patentdocument.go), ep-patent-document of the
// EPO (epdocument.go), us-patent-grant and us-patent-application of the USPTO since 2005 (uspatent.go). Another dialect is
// one file with its grammar, and a line in dialects: what an element does once its place is known is common to all.
//
// # What is repaired and what is rejected
//
// Repaired, with a warning in the row: characters that XML forbids become spaces; bytes that are no UTF-8 are read as
// windows-1252; a reference to an unknown entity becomes U+FFFD. Without a warning: the entity names of HTML5 and of
// ISO's Greek letters are known though no DTD declares them; prefixes need no declaration; comments may hold "--".
//
// Rejected: a document that ends too early, crossed tags, text outside the root, unquoted attributes, a raw '<' or '&'.
// The last are typical of XML saved from a browser; where the markup is broken the text around it is anyone's guess.
//
// # Texts
//
// A text column holds exactly the words of the text nodes, in their order. White space is collapsed to single spaces.
// Inline elements (sub, b, figref, everything unknown) separate nothing, block elements (p, li, br, entry, claim-text ...,
// see element.go) separate words. Comments and processing instructions vanish. A soft hyphen, or a not sign directly
// behind a letter, which is what OCR makes of one, joins what stands around it and the white space behind it.
//
//   - titles and abstracts are one line;
//   - descriptions have one paragraph or heading per line;
//   - claims have one claim per line. Where one claim element holds all claims it is split if their numbers run 1, 2, 3 ...
//     (claims.go). What introduces them stands at the front of the first.
//
// Left out: copyright elements; copyright notices and labels (PROBLEM TO BE SOLVED:) of Japanese abstracts; drawings and
// search reports; amended claims, which stand beside the claims as published; what the USPTO puts before the claims ("What
// is claimed is:"); the EPO's list of the documents that a description cites, which is no part of the patent.
//
// # Languages
//
// A text goes to the column of the language that its block declares, or else its root. Where neither names one (nothing,
// XX), and where a text other than a title surely reads as another of English, German and French, the text decides
// (columns.go, language.go). Of two texts of one section and language one is kept: of the patent office rather than of
// DOCDB, of DOCDB rather than of others, then the first. Texts in other languages are schemas.OtherText.
//
// # Identifiers, classes, citations, parties, dates
//
// The id is the root's ucid as written; without one, that of the publication-reference, or country, number and kind. The
// files of the EPO and the USPTO have no ucids: theirs are made of the publication's parts in canonical form, so that
// 08926509 B2 is US-8926509-B2. A document that nothing names is rejected. Elements are found by their path, because a date, a country or a
// main-classification means something else under another parent.
//
// IPC and CPC codes are read in every spelling that offices use and written A61K 31/00; each symbol is one entry, with
// what its best row says and the other rows add. Unreadable codes are counted in a warning. Citations come from the
// lists of citations only, each document once with its strongest category and who cited it; numbers that offices write in
// their own ways are brought into the form of ucids (citednumber.go). Of the formats of a person's name one is kept.
// A date that is no calendar day stays readable in the raw column.
package patentxml
