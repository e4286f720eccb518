package sampler

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"dssdnet/internal/workspace"
)

// With childWorkspace in its environment, this test binary is a process that samples that workspace and prints the
// result: to be killed, or to be measured.
const (
	childWorkspace = "DSSDNET_SAMPLER_WORKSPACE"
	childSeed      = "DSSDNET_SAMPLER_SEED"
	childNegatives = "DSSDNET_SAMPLER_NEGATIVES"
)

func TestMain(m *testing.M) {
	if os.Getenv(childWorkspace) == "" {
		os.Exit(m.Run())
	}
	if err := child(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child() error {
	c := config(workspace.Dir(os.Getenv(childWorkspace)))
	c.Force = true
	if seed := os.Getenv(childSeed); seed != "" {
		var err error
		if c.Seed, err = strconv.ParseInt(seed, 10, 64); err != nil {
			return err
		}
	}
	if negatives := os.Getenv(childNegatives); negatives != "" {
		c.Negatives = []string{negatives}
	}
	r, err := Run(context.Background(), c)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}
