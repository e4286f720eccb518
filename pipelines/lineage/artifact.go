package lineage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"

	"dssdnet/internal/durable"
)

// artifact is a file that a run keeps.
type artifact struct {
	name string // in the run, with slashes
	path string
}

// errForeign says that a run's artifacts lie where this program can't write: s3://, a database.
var errForeign = errors.New("artifacts lie where only MLflow's own client writes")

// put stores a file below uri, the place of a run's artifacts: through the tracking server that passes them on
// (mlflow-artifacts:), or in a folder that server and client share (file:).
func (t tracking) put(ctx context.Context, uri string, a artifact) error {
	u, err := url.Parse(uri)
	if err != nil {
		return fmt.Errorf("place of artifacts %q: %w", uri, err)
	}
	switch {
	case u.Scheme == "mlflow-artifacts" && (u.Host == "" || u.Host == t.server.base.Host):
		target := url.URL{Path: path.Join("/api/2.0/mlflow-artifacts/artifacts", u.Path, a.name)}
		return t.server.upload(ctx, target.EscapedPath(), a.path)
	case (u.Scheme == "file" || u.Scheme == "") && u.Host == "" && path.IsAbs(u.Path):
		return copyFile(filepath.Join(filepath.FromSlash(u.Path), filepath.FromSlash(a.name)), a.path)
	}
	return fmt.Errorf("%w: %s", errForeign, u.Redacted())
}

// upload sends a file.
func (s *server) upload(ctx context.Context, target, file string) error {
	kind := mime.TypeByExtension(path.Ext(file))
	if kind == "" {
		kind = "application/octet-stream"
	}
	return s.do(ctx, request{
		method: http.MethodPut, path: target, kind: kind, timeout: s.pace.upload,
		body: func() (io.ReadCloser, int64, error) {
			f, err := os.Open(file)
			if err != nil {
				return nil, 0, err
			}
			info, err := f.Stat()
			if err != nil {
				return nil, 0, errors.Join(err, f.Close())
			}
			return f, info.Size(), nil
		},
	}, nil)
}

func copyFile(to, from string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // it was only read
	target, err := durable.Create(to)
	if err != nil {
		return err
	}
	defer target.Discard()
	if _, err := io.Copy(target, source); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return target.Replace()
}
