package publish

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// format is how the bytes of a file are packed.
type format int

const (
	formatXML format = iota // or whatever else is no archive: the cutter decides
	formatGzip
	formatBzip2
	formatTar
	formatZip
	formatUnsupported
)

// sniffBytes is how much of the beginning formatOf wants to see.
const sniffBytes = 512

var (
	sevenZip = regexp.MustCompile(`\.7z(\.\d+)?$`)
	magics   = []struct {
		offset int
		magic  string
		format format
	}{
		{0, "\x1f\x8b", formatGzip},
		{0, "BZh", formatBzip2},
		{0, "PK\x03\x04", formatZip},
		{0, "PK\x05\x06", formatZip}, // empty
		{257, "ustar", formatTar},
		{0, "7z\xbc\xaf\x27\x1c", formatUnsupported},
		{0, "Rar!", formatUnsupported},
		{0, "\xfd7zXZ\x00", formatUnsupported},
		{0, "\x28\xb5\x2f\xfd", formatUnsupported}, // zstd
		{0, "\x1f\x9d", formatUnsupported},         // compress
	}
	extensions = map[string]format{
		".gz": formatGzip, ".tgz": formatGzip, ".bz2": formatBzip2, ".tar": formatTar, ".zip": formatZip,
		".rar": formatUnsupported, ".xz": formatUnsupported, ".zst": formatUnsupported,
	}
)

// formatOf looks at the first bytes, and at the name when they say nothing: an old tar has no magic, a damaged archive
// a wrong one.
func formatOf(name string, head []byte) format {
	for _, m := range magics {
		if len(head) >= m.offset && bytes.HasPrefix(head[m.offset:], []byte(m.magic)) {
			return m.format
		}
	}
	name = strings.ToLower(name)
	if sevenZip.MatchString(name) { // parts after the first have no magic
		return formatUnsupported
	}
	return extensions[path.Ext(name)]
}

// inner is the name of what a compressed file holds: a.tar.gz holds a.tar.
func inner(name string) string {
	ext := path.Ext(name)
	switch strings.ToLower(ext) {
	case ".tgz", ".tbz", ".tbz2":
		return strings.TrimSuffix(name, ext) + ".tar"
	case ".gz", ".bz2":
		return strings.TrimSuffix(name, ext)
	}
	return name + "-unpacked" // whatever it is called, its content is no longer compressed
}
