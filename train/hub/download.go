package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/progress"
)

// tries is how often a download is begun without coming further than before.
const tries = 5

// download makes the blob of a file. What an interrupted one left in blobs/<etag>.incomplete is kept and gone on with.
func (c *Client) download(ctx context.Context, f folder, i info) error {
	part := f.blob(i.etag) + ".incomplete"
	if err := os.MkdirAll(filepath.Dir(part), 0o755); err != nil {
		return err
	}
	task := progress.Or(c.Progress).Start("download "+i.name, i.size, progress.Bytes)
	defer task.Done()
	have, err := sizeOf(part)
	if err != nil {
		return err
	}
	meter := &meter{task: task}
	most := have
	for left, pause := tries, c.pause; have < i.size || !present(part); {
		failed := c.part(ctx, i, part, have, meter)
		if have, err = sizeOf(part); err != nil {
			return err
		}
		if failed == nil {
			break
		}
		if have > most {
			most, left, pause = have, tries, c.pause
		}
		if left--; left == 0 || ctx.Err() != nil || errors.Is(failed, errRefused) {
			return fmt.Errorf("%w; %d of %d bytes are kept, the same command goes on from there", failed, have, i.size)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause *= 2
	}
	return check(part, f.blob(i.etag), i)
}

// meter reports how far a file has come: a byte that is downloaded twice counts once.
type meter struct {
	task     progress.Task
	reported int64
}

func (m *meter) at(offset int64) {
	if offset > m.reported {
		m.task.Add(offset - m.reported)
		m.reported = offset
	}
}

// errRefused says that asking again would not help.
var errRefused = errors.New("refused")

// part appends to the file at path what the hub gives from byte have on.
func (c *Client) part(ctx context.Context, i info, path string, have int64, meter *meter) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.stall, func() { cancel(fmt.Errorf("no byte came for %s", c.stall)) })
	defer watch.Stop()
	request, err := c.request(ctx, http.MethodGet, i.url)
	if err != nil {
		return err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	store := *c.HTTP
	store.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if next.URL.Host != via[0].URL.Host {
			next.Header.Del("Authorization") // the address that is redirected to carries its own right
		}
		if len(via) > 10 {
			return fmt.Errorf("%w: the hub redirects in a circle", errRefused)
		}
		return nil
	}
	response, err := store.Do(request)
	if err != nil {
		return because(ctx, err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusPartialContent && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
	case response.StatusCode == http.StatusOK: // a store that knows no ranges
		have = 0
	case response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("the hub answers %s", response.Status)
	default:
		return fmt.Errorf("%w: the hub answers %s to a request from byte %d on", errRefused, response.Status, have)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	defer file.Close()
	if err := file.Truncate(have); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if _, err := file.Seek(have, io.SeekStart); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	// One byte too many is enough to see that the file is another one.
	body := &watched{r: io.LimitReader(response.Body, i.size-have+1), offset: have, watch: watch, stall: c.stall, meter: meter}
	if _, err := io.Copy(file, body); err != nil {
		if body.err == nil {
			return fmt.Errorf("%w: %w", errRefused, err) // the disk, not the network
		}
		return because(ctx, err)
	}
	return file.Sync()
}

// because prefers the reason for which a context was ended.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// watched puts the watch off with every byte and remembers that reading failed.
type watched struct {
	r      io.Reader
	offset int64 // in the file
	watch  *time.Timer
	stall  time.Duration
	meter  *meter
	err    error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n > 0 {
		w.watch.Reset(w.stall)
		w.offset += int64(n)
		w.meter.at(w.offset)
	}
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

func sizeOf(path string) (int64, error) {
	s, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return s.Size(), nil
}

// check compares a downloaded file with what the hub said of it and puts it in place. A wrong one is removed.
func check(part, blob string, i info) error {
	size, err := sizeOf(part)
	if err != nil {
		return err
	}
	if size == i.size {
		sum, known, err := sum(part, i)
		if err != nil {
			return err
		}
		if !known || sum == i.etag {
			if err := os.Rename(part, blob); err != nil {
				return err
			}
			return durable.SyncDir(filepath.Dir(blob))
		}
	}
	if err := os.Remove(part); err != nil {
		return err
	}
	return fmt.Errorf("the file that came (%d bytes) is not the one announced (%d bytes, hash %s): try again; if that fails too, something "+
		"between here and the hub changes it", size, i.size, i.etag)
}

// sum is the hash of a file of the kind that its etag is; known is false for an etag that is no hash.
func sum(path string, i info) (text string, known bool, err error) {
	var h hash.Hash
	switch len(i.etag) {
	case hex.EncodedLen(sha256.Size):
		h = sha256.New()
	case hex.EncodedLen(sha1.Size): // as git names a file
		h = sha1.New()
		fmt.Fprintf(h, "blob %d\x00", i.size)
	default:
		return "", false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", false, err
	}
	return hex.EncodeToString(h.Sum(nil)), true, nil
}
