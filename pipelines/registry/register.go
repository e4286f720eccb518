package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
)

// Register gives a model the next number and puts its folder in place, with the files of a checkpoint. Format, Version
// and Created of m are filled in.
func (w *Writer) Register(m Model, checkpoint string) (Model, error) {
	n, err := w.next()
	if err != nil {
		return m, err
	}
	m.Format, m.Version, m.Created = Format, fmt.Sprintf("v%d", n), time.Now().UTC().Truncate(time.Second)
	if err := w.append(Event{Time: m.Created, What: Registered, Version: m.Version}); err != nil {
		return m, err
	}
	if err := w.place(m, checkpoint); err != nil {
		return m, fmt.Errorf("register %s: %w", m.Version, err)
	}
	return m, nil
}

// next is a number that no version had.
func (w *Writer) next() (int, error) {
	last := 0
	numbers, err := w.versions()
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		last = max(last, n)
	}
	for _, e := range w.history {
		if n, ok := number(e.Version); ok {
			last = max(last, n)
		}
	}
	return last + 1, nil
}

func (w *Writer) place(m Model, checkpoint string) error {
	path := filepath.Join(w.ws.Models(), m.Version)
	temp, err := durable.TempDir(path)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // gone already when all went well
	inside := filepath.Join(temp, "checkpoint")
	if err := os.Mkdir(inside, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(checkpoint)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := take(filepath.Join(checkpoint, e.Name()), filepath.Join(inside, e.Name())); err != nil {
			return fmt.Errorf("take %s of %s: %w", e.Name(), checkpoint, err)
		}
	}
	if err := durable.SyncDir(inside); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(temp, "model.json"), append(data, '\n')); err != nil {
		return err
	}
	return durable.SwapDir(temp, path)
}

// take links a file of a checkpoint, whose files are never written again once in place, or copies it where the disk
// has no hard links.
func take(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := durable.Create(to)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Replace()
}
