// Package bert is the encoder: the BERT family from a Hugging Face folder (config.json, vocab.txt,
// model.safetensors), of any depth and width, up to its last hidden state. There is no pooler.
//
// In come token numbers as train/wordpiece makes them; out come the hidden states of all positions ([Encoder.Forward])
// or of the first one only ([Encoder.First], which spares the last layer most of its work). The parameters are
// float32 whatever the file holds. [Encoder.Sources] names them as Hugging Face does, so that what is saved can be
// loaded there.
package bert
