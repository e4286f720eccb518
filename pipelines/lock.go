package pipelines

import "errors"

// ErrHeld says that another process runs a pipeline on the workspace. The error that wraps it says which.
var ErrHeld = errors.New("the workspace is held by another run")
