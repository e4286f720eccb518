package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dssdnet/pipelines"
)

var (
	codeBlock  = regexp.MustCompile("(?ms)^```(?:sh)?\n(.*?)^```")
	inlineCode = regexp.MustCompile("`(dssdnet [^`]+)`")
)

// TestDocsCommands parses every command of dssdnet in the pages and in the examples of the help with the real command
// tree: flags, their values, and the number of arguments. Of commands in running text, which may have placeholders, the
// name and the flags count.
func TestDocsCommands(t *testing.T) {
	whole, mentioned := 0, 0
	for _, page := range docPages(t) {
		text := read(t, page)
		for _, block := range codeBlock.FindAllStringSubmatch(text, -1) {
			for _, words := range commands(block[1]) {
				whole++
				if err := parse(words); err != nil {
					t.Errorf("%s: dssdnet %s: %v", page, strings.Join(words, " "), err)
				}
			}
		}
		for _, code := range inlineCode.FindAllStringSubmatch(text, -1) {
			mentioned++
			for _, words := range commands(code[1]) {
				if err := named(words); err != nil {
					t.Errorf("%s: %s: %v", page, code[1], err)
				}
			}
		}
	}
	if whole < 25 || mentioned < 60 {
		t.Errorf("only %d commands and %d mentions were found", whole, mentioned)
	}
	var examples func(c *cobra.Command)
	examples = func(c *cobra.Command) {
		for _, words := range commands(c.Example) {
			if err := parse(words); err != nil {
				t.Errorf("the help of %s: dssdnet %s: %v", c.CommandPath(), strings.Join(words, " "), err)
			}
		}
		for _, sub := range c.Commands() {
			examples(sub)
		}
	}
	examples(newApp(io.Discard, io.Discard).rootCommand())
}

// TestDocsExitCodes holds the exit codes of docs/data-engineer.md against those of the help.
func TestDocsExitCodes(t *testing.T) {
	page := read(t, filepath.Join(root, "docs", "data-engineer.md"))
	for _, line := range strings.Split(exitTable, "\n")[1:] {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		if row := fmt.Sprintf("| %s | %s |", code, strings.TrimSpace(meaning)); !strings.Contains(strings.ReplaceAll(page, "`", ""), row) {
			t.Errorf("docs/data-engineer.md lacks the row %s", row)
		}
	}
}

// TestDocsFiles reads the pipeline and config files that docs/data-engineer.md shows.
func TestDocsFiles(t *testing.T) {
	page := filepath.Join(root, "docs", "data-engineer.md")
	seenPipeline, seenConfig := false, false
	for _, block := range fenced(t, page, "yaml") {
		file := filepath.Join(t.TempDir(), "file.yaml")
		if err := os.WriteFile(file, []byte(block), 0o644); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(block, "version:") {
			seenPipeline = true
			c := pipelines.Default()
			c.Workspace, c.File, c.Set = "work", file, []string{"data=here"}
			if _, err := pipelines.Check(c); err != nil {
				t.Errorf("a pipeline of %s: %v", page, err)
			}
			continue
		}
		seenConfig = true
		app := newApp(io.Discard, io.Discard)
		cmd := app.rootCommand()
		cmd.SetArgs([]string{"config", "print", "--config", file})
		cmd.SetOut(io.Discard)
		if err := cmd.Execute(); err != nil {
			t.Errorf("a config file of %s: %v", page, err)
		}
	}
	if !seenPipeline || !seenConfig {
		t.Errorf("%s shows a pipeline: %v, a config file: %v", page, seenPipeline, seenConfig)
	}
}

// commands are those of dssdnet in a piece of shell, without its name. A page may call it $D, with flags of its own.
func commands(shell string) (all [][]string) {
	var words []string
	end := func() {
		for i, word := range words {
			if word == "dssdnet" || strings.HasSuffix(word, "/dssdnet") || word == "$D" {
				all = append(all, words[i+1:])
				break
			}
			if word != "do" && !strings.Contains(word, "=") {
				break // another program's
			}
		}
		words = nil
	}
	for _, token := range tokens(strings.ReplaceAll(shell, "\\\n", " ")) {
		switch token {
		case "\n", ";", "&", "&&", "|", "||":
			end()
		default:
			words = append(words, token)
		}
	}
	end()
	return all
}

var token = regexp.MustCompile(`\n|#[^\n]*|&&?|\|\|?|;|(?:"[^"]*"|'[^']*'|[^\s"'&|;])+`)

// tokens cuts shell into words and operators. Comments are left out, and quotes.
func tokens(shell string) (all []string) {
	for _, found := range token.FindAllString(shell, -1) {
		if !strings.HasPrefix(found, "#") {
			all = append(all, strings.NewReplacer(`"`, "", "'", "").Replace(found))
		}
	}
	return all
}

// find is the command that words call, and the words after its name.
func find(words []string) (*cobra.Command, []string, error) {
	tree := newApp(io.Discard, io.Discard).rootCommand()
	c, rest, err := tree.Find(words)
	if err == nil && c.HasSubCommands() && c.Name() != "eval" && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		err = fmt.Errorf("%s has no command %q", c.CommandPath(), rest[0])
	}
	return c, rest, err
}

// parse checks a whole command line.
func parse(words []string) error {
	c, rest, err := find(words)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil && err != pflag.ErrHelp { //nolint:errorlint // pflag returns it as it is
		return err
	}
	if err := c.ValidateArgs(c.Flags().Args()); err != nil {
		return err
	}
	return variables(c, rest)
}

// variables checks what a command sets of a pipeline that comes with the program.
func variables(c *cobra.Command, words []string) error {
	if c.Name() != "run" && c.Name() != "schedule" || !slices.Contains(pipelines.Shipped(), c.Flags().Arg(0)) {
		return nil
	}
	p := pipelines.Default()
	p.Workspace, p.File = "work", c.Flags().Arg(0)
	for i, word := range words {
		if word == "--set" && i+1 < len(words) {
			p.Set = append(p.Set, words[i+1])
		}
	}
	_, err := pipelines.Check(p)
	return err
}

// named checks that a command exists and has the flags.
func named(words []string) error {
	if strings.ToUpper(words[0]) == words[0] {
		return nil // dssdnet COMMAND --help
	}
	c, rest, err := find(words)
	if err != nil {
		return err
	}
	c.InitDefaultHelpFlag()
	for _, word := range rest {
		name, isFlag := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil {
			return fmt.Errorf("%s has no flag --%s", c.CommandPath(), name)
		}
	}
	return nil
}
