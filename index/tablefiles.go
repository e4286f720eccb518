package index

import "dssdnet/internal/workspace"

// TableFiles is [workspace.TableFiles].
func TableFiles(dir string) ([]string, error) { return workspace.TableFiles(dir) }
