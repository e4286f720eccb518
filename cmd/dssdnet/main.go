// Command dssdnet turns patent XML into a trained and measured patent re-ranker.
//
// Reading the source: main.go builds the command tree of root.go; one file per command translates flags into the
// Config of a stage and calls its Run. exit.go is the only place that turns an error into an exit code.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The second signal finds the default handler and ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
