// Package wordpiece turns text into the tokens of BERT: what Hugging Face tokenizers make of it with BertNormalizer,
// BertPreTokenizer, WordPiece and BertProcessing, number for number.
//
// In comes UTF-8 text and a vocab.txt; out come token numbers, for single texts ([Tokenizer.Append]) or for pairs
// truncated to a length and padded to a batch ([Tokenizer.Pairs]). A Tokenizer is read-only and safe for concurrent
// use.
//
// One difference is meant: "[SEP]" or "[MASK]" written in a text is text, as patents are not to be trusted with the
// marks that separate them.
package wordpiece
