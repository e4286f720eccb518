package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// IndexFiles lists the segments and snapshots in the folder of a build, sorted.
func IndexFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, segmentSuffix) || strings.HasSuffix(name, snapshotSuffix) {
			names = append(names, name)
		}
	}
	return names, nil
}

// HashFiles describes the named files of dir, several at a time. known are files whose hash need not be computed
// again.
func HashFiles(ctx context.Context, dir string, names []string, known []File) ([]File, error) {
	files := make([]File, len(names))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		if at := slices.IndexFunc(known, func(f File) bool { return f.Name == name }); at >= 0 {
			files[i] = known[at]
			continue
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			in, err := manifest.HashInput(filepath.Join(dir, name))
			files[i] = File{Name: name, Size: in.Size, SHA256: in.SHA256}
			return err
		})
	}
	return files, group.Wait()
}

// verifyFiles checks that the segments and snapshots in dir are those of the manifest, byte for byte. Bluge itself
// checks no segment: a flipped bit would be searched.
func verifyFiles(ctx context.Context, dir string, want []File) error {
	names, err := IndexFiles(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(want, func(f File) bool { return f.Name == name }) {
			return damaged(dir, "%s is not in its manifest", name)
		}
	}
	for _, file := range want {
		if !slices.Contains(names, file.Name) {
			return damaged(dir, "%s is missing", file.Name)
		}
	}
	got, err := HashFiles(ctx, dir, names, nil)
	if err != nil {
		return fmt.Errorf("read the index %s: %w", dir, err)
	}
	for _, file := range got {
		at := slices.IndexFunc(want, func(f File) bool { return f.Name == file.Name })
		if file != want[at] {
			return damaged(dir, "%s has %d bytes and sha256 %.12s, the manifest says %d and %.12s",
				file.Name, file.Size, file.SHA256, want[at].Size, want[at].SHA256)
		}
	}
	return nil
}

func damaged(dir, format string, args ...any) error {
	return fault.New(fault.Rejected, "the index %s is damaged: %s: %s", dir, fmt.Sprintf(format, args...), buildAgain)
}
