// Package promote is the stage `dssdnet promote`: a freshly trained model becomes the current one, if it is not worse.
package promote
