package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the repository, seen from this folder.
const root = "../.."

// docPages are README.md and the pages of docs/.
func docPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages in docs/: %v", len(pages), err)
	}
	return append(pages, filepath.Join(root, "README.md"))
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	// repoPath is a file or folder of the repository, named from its root. Folders of a workspace have other names, or
	// one part.
	repoPath = regexp.MustCompile(`(?:^|[\s(\x60=>])((?:cmd|docs|eval|index|ingest|internal|pipelines|sampler|schemas|scripts|tests|train)/[A-Za-z0-9_./-]*[A-Za-z0-9_])`)
)

// TestDocsLinks finds what every link and every path of the repository that a page mentions points to.
func TestDocsLinks(t *testing.T) {
	links, paths := 0, 0
	for _, page := range docPages(t) {
		text := read(t, page)
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			links++
			checkLink(t, page, found[1])
		}
		for _, found := range repoPath.FindAllStringSubmatch(text, -1) {
			paths++
			if _, err := os.Stat(filepath.Join(root, found[1])); err != nil {
				t.Errorf("%s names %s, which the repository does not have", page, found[1])
			}
		}
	}
	if links < 40 || paths < 40 {
		t.Errorf("only %d links and %d paths were found", links, paths)
	}
}

func checkLink(t *testing.T, page, target string) {
	t.Helper()
	file, anchor, hasAnchor := strings.Cut(target, "#")
	path := page
	if file != "" {
		path = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%s links to %s, which does not exist", page, target)
		return
	}
	if !hasAnchor {
		return
	}
	for _, h := range heading.FindAllStringSubmatch(read(t, path), -1) {
		if anchorOf(h[1]) == anchor {
			return
		}
	}
	t.Errorf("%s links to %s, and no heading there has this anchor", page, target)
}

// anchorOf is the anchor that a heading gets.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
