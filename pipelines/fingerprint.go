package pipelines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"dssdnet/internal/cluster"
)

// Data up to these limits are compared by their content, larger ones by names, sizes and modification times of the
// files. They bound the time of a look, and its memory.
const (
	contentBytes = 256 << 20
	contentFiles = 50_000
)

// eyes look at what steps read and write. They remember the content of files for one run.
type eyes struct {
	cluster func(context.Context) (cluster.Config, error)
	hashes  map[fileState]string
}

// fileState is a file that nobody has written to.
type fileState struct {
	path        string
	size, mtime int64
	inode       uint64
}

// found is one file of some data.
type found struct {
	fileState
	name string // relative to the data
	key  bool   // it tells one content from another
}

// look describes data as they are now. What is not there has no fingerprint.
func (e *eyes) look(ctx context.Context, r ref) (Data, error) {
	if r.topic != "" {
		return e.lookAtTopic(ctx, r)
	}
	d := Data{Name: r.name}
	s := sighting{outside: sha256.New()}
	for _, path := range r.paths {
		err := walk(path, r.key, func(f found) error {
			d.Bytes += f.size
			d.Files++
			if f.key {
				s.add(f)
			}
			return ctx.Err()
		})
		if err != nil {
			return d, fmt.Errorf("look at %s: %w", r.name, err)
		}
	}
	var err error
	if r.link != "" {
		d.Fingerprint, err = ofLink(r.link)
	} else {
		d.Fingerprint, err = e.fingerprint(ctx, &s)
	}
	if err != nil {
		return d, fmt.Errorf("look at %s: %w", r.name, err)
	}
	return d, nil
}

// exists reports whether there is anything to look at.
func (e *eyes) exists(ctx context.Context, r ref) (bool, error) {
	if r.topic != "" || r.link != "" {
		d, err := e.look(ctx, r)
		return d.Fingerprint != "", err
	}
	seen := false
	for _, path := range r.paths {
		err := walk(path, r.key, func(f found) error {
			if seen = f.key; seen {
				return fs.SkipAll
			}
			return ctx.Err()
		})
		if err != nil {
			return false, fmt.Errorf("look at %s: %w", r.name, err)
		}
		if seen {
			return true, nil
		}
	}
	return false, nil
}

// sighting is what a walk over some data has seen.
type sighting struct {
	outside hash.Hash // of names, sizes and times
	count   int
	bytes   int64
	files   []found // while there are few
}

func (s *sighting) add(f found) {
	s.count++
	s.bytes += f.size
	fmt.Fprintf(s.outside, "%q %d %d\n", f.name, f.size, f.mtime)
	if s.small() {
		s.files = append(s.files, f)
	} else {
		s.files = nil
	}
}

func (s *sighting) small() bool { return s.bytes <= contentBytes && s.count <= contentFiles }

func (e *eyes) fingerprint(ctx context.Context, s *sighting) (string, error) {
	switch {
	case s.count == 0:
		return "", nil
	case !s.small():
		return short(s.outside), nil
	}
	inside := sha256.New()
	for _, f := range s.files {
		content, err := e.content(ctx, f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(inside, "%q %d %s\n", f.name, f.size, content)
	}
	return short(inside), nil
}

func short(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// ofLink is the fingerprint of data that are whatever a symbolic link points to.
func ofLink(link string) (string, error) {
	target, err := os.Readlink(link)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", target)
	return short(h), nil
}

// content is the hash of a file.
func (e *eyes) content(ctx context.Context, f found) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if known, ok := e.hashes[f.fileState]; ok {
		return known, nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	if e.hashes == nil {
		e.hashes = map[fileState]string{}
	}
	e.hashes[f.fileState] = short(h)
	return e.hashes[f.fileState], nil
}

// walk visits the files of a path in the order of their names. Names that begin with a dot are of files in the making,
// locks and the like. A manifest tells when and by whom, not what.
func walk(root string, key []string, visit func(found) error) error {
	if target, err := filepath.EvalSymlinks(root); err == nil {
		root = target // a link to data is those data
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // nothing is there, or it went away under our eyes
		}
		if err != nil {
			return err
		}
		if path != root && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return nil
		}
		f := found{fileState: fileState{path: path, size: info.Size(), mtime: info.ModTime().UnixNano()}, name: entry.Name()}
		if path != root {
			if f.name, err = filepath.Rel(root, path); err != nil {
				return err
			}
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			f.inode = stat.Ino
		}
		f.key = entry.Name() != "manifest.json" && (key == nil || slices.Contains(key, f.name))
		return visit(f)
	})
}

// lookAtTopic gives the end offsets as the fingerprint: "cluster/0:17,1:4".
func (e *eyes) lookAtTopic(ctx context.Context, r ref) (Data, error) {
	d := Data{Name: r.name}
	c, err := e.cluster(ctx)
	if err != nil {
		return d, fmt.Errorf("look at topic %s: %w", r.topic, err)
	}
	id, err := cluster.ID(ctx, c)
	if err != nil {
		return d, err
	}
	spans, err := cluster.Spans(ctx, c, r.topic)
	if missing := (*cluster.NoTopicError)(nil); errors.As(err, &missing) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	ends := make(offsets, len(spans))
	for partition, span := range spans {
		ends[partition] = span.End
	}
	d.Fingerprint = id + "/" + ends.String()
	return d, nil
}

// offsets are the ends of a topic's partitions.
type offsets map[int]int64

func (o offsets) String() string {
	parts := make([]string, 0, len(o))
	for _, partition := range slices.Sorted(maps.Keys(o)) {
		parts = append(parts, fmt.Sprintf("%d:%d", partition, o[partition]))
	}
	return strings.Join(parts, ",")
}

// parseTopic reads the fingerprint of a topic.
func parseTopic(fingerprint string) (clusterID string, ends offsets) {
	at := max(0, strings.LastIndex(fingerprint, "/"))
	id, text := fingerprint[:at], strings.TrimPrefix(fingerprint[at:], "/")
	ends = offsets{}
	for part := range strings.SplitSeq(text, ",") {
		var partition int
		var end int64
		if n, _ := fmt.Sscanf(part, "%d:%d", &partition, &end); n == 2 {
			ends[partition] = end
		}
	}
	return id, ends
}

// since is how many records the topic has more than it had.
func (o offsets) since(before offsets) (n int64) {
	for partition, end := range o {
		n += end - before[partition]
	}
	return n
}
