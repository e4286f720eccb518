// Package settings turns the settings of a stage, a struct with yaml and help tags, into flags, environment
// variables and keys of the config file, and remembers where each value came from.
package settings

import (
	"fmt"
	"strconv"
	"strings"
)

// Bytes is a size. As text it is a whole number with an optional unit of 1024: 64MiB, 2GiB, 512.
type Bytes int64

var units = []struct {
	suffix string
	size   Bytes
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// ParseBytes reads the text form.
func ParseBytes(s string) (Bytes, error) {
	number, size := strings.TrimSpace(s), Bytes(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, size = strings.TrimSpace(rest), u.size
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<63-1)/int64(size) {
		return 0, fmt.Errorf("%q is not a size like 64MiB, 2GiB or 512", s)
	}
	return Bytes(n) * size, nil
}

// String is the text form with the largest unit that leaves a whole number.
func (b Bytes) String() string {
	for _, u := range units[:4] {
		if b >= u.size && b%u.size == 0 {
			return fmt.Sprintf("%d%s", b/u.size, u.suffix)
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// MarshalText makes a size readable in JSON.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the text form.
func (b *Bytes) UnmarshalText(text []byte) error {
	v, err := ParseBytes(string(text))
	if err == nil {
		*b = v
	}
	return err
}

// Set makes a size a command line flag.
func (b *Bytes) Set(s string) error { return b.UnmarshalText([]byte(s)) }

// Type is the word for a size in the help of a flag.
func (*Bytes) Type() string { return "size" }
