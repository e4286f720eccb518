package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/index"
	"dssdnet/internal/durable"
)

// share makes the files of a build visible in the folder to: hard links, or copies where there are none.
func share(from, to string, files []index.File) error {
	for _, file := range files {
		source, target := filepath.Join(from, file.Name), filepath.Join(to, file.Name)
		if os.Link(source, target) == nil {
			continue
		}
		if err := copyFile(source, target); err != nil {
			return fmt.Errorf("take %s over into the new build: %w", source, err)
		}
	}
	return nil
}

func copyFile(source, target string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// publish completes the manifest of the build in the folder temp, gives the folder its name and makes it the current
// build.
func publish(ctx context.Context, root, temp string, m index.Manifest, known []index.File) (index.Manifest, error) {
	names, err := index.IndexFiles(temp)
	if err != nil {
		return m, err
	}
	if m.Files, err = index.HashFiles(ctx, temp, names, known); err != nil {
		return m, fmt.Errorf("hash the new build: %w", err)
	}
	m.Finished = time.Now().UTC()
	if err := m.Write(temp); err != nil {
		return m, fmt.Errorf("write the manifest of the new build: %w", err)
	}
	if err := durable.SwapDir(temp, filepath.Join(root, m.Build)); err != nil {
		return m, err
	}
	if err := index.SetCurrent(root, m.Build); err != nil {
		return m, fmt.Errorf("make %s the current build: %w", m.Build, err)
	}
	return m, nil
}

// retire removes the builds below root but the current one and the keep newest others.
func retire(root, current string, keep int) error {
	names, err := index.Builds(root)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == current })
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(finished(root, b).Compare(finished(root, a)), cmp.Compare(a, b))
	})
	for _, name := range names[min(keep, len(names)):] {
		if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
			return fmt.Errorf("remove the old build %s: %w", name, err)
		}
	}
	return nil
}

// finished is when a build was finished: its manifest is the last file that is written.
func finished(root, name string) time.Time {
	info, err := os.Stat(filepath.Join(root, name, index.ManifestName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
