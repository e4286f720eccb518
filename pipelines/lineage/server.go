package lineage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// pace is how long and how often a server is asked.
type pace struct {
	attempts int           // of a request that a server may take later
	wait     time.Duration // before the second attempt; doubled with each further one
	maxWait  time.Duration // between two attempts, also when the server asks for longer
	timeout  time.Duration // of one attempt
	upload   time.Duration // of one attempt to send a file
}

func usualPace() pace {
	return pace{attempts: 4, wait: 500 * time.Millisecond, maxWait: 10 * time.Second, timeout: 5 * time.Second, upload: 2 * time.Minute}
}

// maxAnswer is how much of an answer is read.
const maxAnswer = 1 << 20

// server sends requests, again when it is worth it. One goroutine uses it.
type server struct {
	base      *url.URL
	authorize func(*http.Request)
	client    *http.Client
	pace      pace
	// silent is set while the last request found no server: then the next is tried once, not pace.attempts times.
	silent atomic.Bool
}

func newServer(base *url.URL, authorize func(*http.Request)) *server {
	return &server{base: base, authorize: authorize, client: &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}, pace: usualPace()}
}

func (s *server) unreachable() bool { return s.silent.Load() }

// request is sent to a path below the server's URL.
type request struct {
	method, path string
	query        url.Values
	kind         string // content type
	// body opens the content, anew for each attempt; nil is none.
	body    func() (io.ReadCloser, int64, error)
	timeout time.Duration
}

// refusal is an answer that says no.
type refusal struct {
	status int
	code   string // MLflow's error code, when the answer has one
	text   string
	after  time.Duration // when to ask again, when the answer says so
}

func (r *refusal) Error() string {
	text := fmt.Sprintf("the server answers %d %s", r.status, http.StatusText(r.status))
	if r.text != "" {
		text += ": " + r.text
	}
	return text
}

// unsent is what went wrong before the server was asked: no further attempt helps.
type unsent struct{ error }

func (u unsent) Unwrap() error { return u.error }

// later reports whether the same request may be taken another time.
func (r *refusal) later() bool { return r.status == http.StatusTooManyRequests || r.status >= 500 }

// post sends value as JSON and reads the answer into answer, unless that is nil.
func (s *server) post(ctx context.Context, path string, value, answer any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.do(ctx, request{
		method: http.MethodPost, path: path, kind: "application/json", timeout: s.pace.timeout,
		body: func() (io.ReadCloser, int64, error) {
			return io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
		},
	}, answer)
}

func (s *server) get(ctx context.Context, path string, query url.Values, answer any) error {
	return s.do(ctx, request{method: http.MethodGet, path: path, query: query, timeout: s.pace.timeout}, answer)
}

// do sends a request until the server takes it, refuses it for good, or no attempt is left.
func (s *server) do(ctx context.Context, r request, answer any) error {
	attempts := s.pace.attempts
	if s.silent.Load() {
		attempts = 1
	}
	wait := s.pace.wait
	for attempt := 1; ; attempt++ {
		err := s.try(ctx, r, answer)
		if errors.As(err, new(unsent)) {
			return err
		}
		var no *refusal
		if errors.As(err, &no) && !no.later() {
			s.silent.Store(false)
			return fmt.Errorf("%s %s: %w", r.method, s.base.JoinPath(r.path).Redacted(), err)
		}
		if err == nil || ctx.Err() != nil || attempt >= attempts {
			s.silent.Store(err != nil)
			return err
		}
		pause := wait/2 + rand.N(wait/2+1)
		if no != nil && no.after > pause {
			pause = no.after
		}
		if !sleep(ctx, min(pause, s.pace.maxWait)) {
			return err
		}
		wait *= 2
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *server) try(ctx context.Context, r request, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	target := s.base.JoinPath(r.path)
	target.RawQuery = r.query.Encode()
	req, err := http.NewRequestWithContext(ctx, r.method, target.String(), nil)
	if err != nil {
		return unsent{err}
	}
	if r.body != nil {
		body, size, err := r.body()
		if err != nil {
			return unsent{err}
		}
		req.Body, req.ContentLength = body, size
		req.Header.Set("Content-Type", r.kind)
	}
	req.Header.Set("User-Agent", "dssdnet")
	s.authorize(req)
	response, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer of %s: %w", s.base.Redacted(), err)
	}
	if response.StatusCode/100 != 2 {
		return newRefusal(response, data)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return &refusal{status: response.StatusCode, text: fmt.Sprintf("not the JSON that was expected (%v): %s", err, excerpt(data))}
	}
	return nil
}

func newRefusal(response *http.Response, data []byte) *refusal {
	no := &refusal{status: response.StatusCode, text: excerpt(data), after: retryAfter(response.Header)}
	var told struct {
		Code    string `json:"error_code"`
		Message string `json:"message"`
	}
	if json.Unmarshal(data, &told) == nil && told.Message != "" {
		no.code, no.text = told.Code, told.Message
	}
	return no
}

// retryAfter is how long to wait, as the header says in seconds or as a day; 0 or less without it.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(seconds, math.MaxInt32)) * time.Second
	}
	if day, err := http.ParseTime(value); err == nil {
		return time.Until(day)
	}
	return 0
}

// excerpt is the beginning of an answer that is not JSON, on one line.
func excerpt(data []byte) string {
	text := strings.Join(strings.Fields(string(data)), " ")
	return cut(text, 200)
}
