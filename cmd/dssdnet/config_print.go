package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// setting is one line of config print.
type setting struct {
	Section string `json:"section,omitempty"`
	Key     string `json:"key"`
	Value   string `json:"value"`
	Origin  string `json:"origin"`
}

func (a *app) configPrintCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "print",
		Short: "Print every setting in force with its origin",
		Long: `Prints every setting of every command: its value and where the value came from (a flag, an environment
variable, a line of the config file, or the default). The password of a SASL login is not shown.

` + exitTable,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.printConfig() },
	}
}

func (a *app) printConfig() error {
	var all []setting
	for _, s := range a.sections {
		s.Each(func(key, value, origin string) {
			if key == "sasl-password" && value != "" {
				value = "(hidden)"
			}
			all = append(all, setting{s.Name, key, value, origin})
		})
	}
	if a.global.JSON {
		return json.NewEncoder(a.stdout).Encode(all)
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for i, s := range all {
		indent := ""
		if s.Section != "" {
			indent = "  "
			if i == 0 || all[i-1].Section != s.Section {
				fmt.Fprintf(w, "%s:\t\t\n", s.Section)
			}
		}
		fmt.Fprintf(w, "%s%s: %s\t# %s\n", indent, s.Key, quoted(s.Value), s.Origin)
	}
	return w.Flush()
}

// quoted makes an empty value visible; the output is a config file that LoadFile reads.
func quoted(value string) string {
	if value == "" {
		return `""`
	}
	return value
}
