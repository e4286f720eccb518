// Package hub finds models of the Hugging Face hub by id: in the cache that all of its tools share, else on the hub.
//
// In comes an id, "org/name" or "org/name@revision"; out comes a folder of the cache ([Client.Model]). What is there
// already costs no request. A download goes on where it was interrupted, is compared with the size and the hash that
// the hub gives, and is put in place in one step; the cache stays readable for Hugging Face's own tools.
package hub
