// Package indextest makes collections for the tests of the index, and ranks them by brute force. Only tests import
// it.
package indextest
