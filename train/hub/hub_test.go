package hub

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	firstCommit = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	otherCommit = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

var files = []File{{Name: "config.json"}, {Name: "model.safetensors"}, {Name: "tokenizer_config.json", Optional: true}}

// fakeHub keeps the shapes that the hub documents: /<model>/resolve/<revision>/<file> with the commit, the hash and the
// size in headers, large files redirected to a store on another host that knows ranges, small ones given at once.
type fakeHub struct {
	t          *testing.T
	hub, store *httptest.Server
	weights    []byte
	commit     string

	mu       sync.Mutex
	requests []string // method, path, range
	tokens   []string // that the store was shown

	cut     int  // bytes after which the store breaks off, once
	noRange bool // the store knows none
	corrupt bool // the store gives other bytes
	hang    bool // the store stops sending, once
}

func newFakeHub(t *testing.T) *fakeHub {
	h := &fakeHub{t: t, weights: []byte(strings.Repeat("weights ", 40_000)), commit: firstCommit}
	h.hub = httptest.NewServer(http.HandlerFunc(h.serve))
	h.store = httptest.NewServer(http.HandlerFunc(h.serveStore))
	t.Cleanup(func() { h.hub.Close(); h.store.Close() })
	return h
}

func (h *fakeHub) note(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("Range")))
}

func (h *fakeHub) count(prefix string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, r := range h.requests {
		if strings.HasPrefix(r, prefix) {
			n++
		}
	}
	return n
}

func (h *fakeHub) serve(w http.ResponseWriter, r *http.Request) {
	h.note(r)
	if rest, ok := strings.CutPrefix(r.URL.Path, "/old-name/"); ok {
		http.Redirect(w, r, "/org/model/"+rest, http.StatusTemporaryRedirect)
		return
	}
	refuse := func(status int, code string) {
		w.Header().Set("X-Error-Code", code)
		w.WriteHeader(status)
	}
	if strings.HasPrefix(r.URL.Path, "/org/gated/") {
		refuse(http.StatusForbidden, "GatedRepo")
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/org/model/resolve/")
	if !ok {
		refuse(http.StatusUnauthorized, "RepoNotFound")
		return
	}
	revision, name, _ := strings.Cut(rest, "/")
	if !slices.Contains([]string{"main", firstCommit, otherCommit}, revision) {
		refuse(http.StatusNotFound, "RevisionNotFound")
		return
	}
	w.Header().Set("X-Repo-Commit", h.commit)
	switch name {
	case "config.json":
		text := "{}\n"
		sum := sha1.Sum([]byte("blob 3\x00" + text))
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
		w.Header().Set("Content-Length", "3")
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(text))
		}
	case "model.safetensors":
		sum := sha256.Sum256(h.weights)
		w.Header().Set("X-Linked-Etag", `"`+hex.EncodeToString(sum[:])+`"`)
		w.Header().Set("X-Linked-Size", strconv.Itoa(len(h.weights)))
		w.Header().Set("ETag", `"of the redirect"`)
		http.Redirect(w, r, h.store.URL+"/weights", http.StatusFound)
	default:
		refuse(http.StatusNotFound, "EntryNotFound")
	}
}

func (h *fakeHub) serveStore(w http.ResponseWriter, r *http.Request) {
	h.note(r)
	h.mu.Lock()
	h.tokens = append(h.tokens, r.Header.Get("Authorization"))
	h.mu.Unlock()
	body := slices.Clone(h.weights)
	if h.corrupt {
		body[len(body)/2]++
	}
	from := 0
	if text := r.Header.Get("Range"); text != "" && !h.noRange {
		if _, err := fmt.Sscanf(text, "bytes=%d-", &from); err != nil || from >= len(body) {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(body)-1, len(body)))
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)-from))
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	if n := h.cut; n > 0 {
		h.cut = 0
		_, _ = w.Write(body[from : from+n])
		w.(http.Flusher).Flush()
		if h.hang {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body[from:])
}

// client of the fake hub with an empty cache.
func (h *fakeHub) client() *Client {
	c := FromEnv(func(name string) string {
		return map[string]string{"HF_ENDPOINT": h.hub.URL + "/", "HF_TOKEN": "secret"}[name]
	}, h.t.TempDir())
	c.pause = time.Millisecond
	return c
}

func (h *fakeHub) wantModel(dir string) {
	h.t.Helper()
	for name, want := range map[string]string{"config.json": "{}\n", "model.safetensors": string(h.weights)} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			h.t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
	}
}

func TestDownloadAndCache(t *testing.T) {
	h := newFakeHub(t)
	c := h.client()
	dir, err := c.Model(t.Context(), "org/model", files)
	if err != nil {
		t.Fatal(err)
	}
	h.wantModel(dir)
	root := filepath.Join(c.Cache, "models--org--model")
	if dir != filepath.Join(root, "snapshots", firstCommit) {
		t.Errorf("the folder is %s", dir)
	}
	if ref, err := os.ReadFile(filepath.Join(root, "refs", "main")); err != nil || string(ref) != firstCommit {
		t.Errorf("refs/main is %q, %v", ref, err)
	}
	sum := sha256.Sum256(h.weights)
	if to, err := os.Readlink(filepath.Join(dir, "model.safetensors")); err != nil || to != "../../blobs/"+hex.EncodeToString(sum[:]) {
		t.Errorf("the weights link to %s, %v", to, err)
	}
	if !present(filepath.Join(root, ".no_exist", firstCommit, "tokenizer_config.json")) {
		t.Error("that the model has no tokenizer_config.json is not kept")
	}
	if h.tokens[0] != "" {
		t.Errorf("the store was shown the token %q", h.tokens[0])
	}

	asked := len(h.requests)
	h.commit = otherCommit // what is in the cache stays in use
	c.Offline = true
	for _, model := range []string{"org/model", "org/model@main", "org/model@" + firstCommit} {
		if again, err := c.Model(t.Context(), model, files); err != nil || again != dir {
			t.Errorf("%s from the cache: %s, %v", model, again, err)
		}
	}
	if len(h.requests) != asked {
		t.Errorf("the hub was asked for what is in the cache: %v", h.requests[asked:])
	}
}

func TestARenamedModel(t *testing.T) {
	h := newFakeHub(t)
	dir, err := h.client().Model(t.Context(), "old-name", files)
	if err != nil {
		t.Fatal(err)
	}
	h.wantModel(dir)
}

func TestABrokenDownloadGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		noRange, hang bool
		want          string
	}{
		"with ranges":     {false, false, "GET /weights bytes=100000-"},
		"without ranges":  {true, false, "GET /weights bytes=100000-"},
		"a stalled store": {false, true, "GET /weights bytes=100000-"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFakeHub(t)
			h.cut, h.noRange, h.hang = 100_000, c.noRange, c.hang
			client := h.client()
			if c.hang {
				client.stall = 300 * time.Millisecond
			}
			dir, err := client.Model(t.Context(), "org/model", files)
			if err != nil {
				t.Fatal(err)
			}
			h.wantModel(dir)
			if h.count(c.want) != 1 {
				t.Errorf("the requests were %v", h.requests)
			}
		})
	}
}

func TestAnotherProcessGoesOnWithADownload(t *testing.T) {
	h := newFakeHub(t)
	c := h.client()
	sum := sha256.Sum256(h.weights)
	part := filepath.Join(c.Cache, "models--org--model", "blobs", hex.EncodeToString(sum[:])+".incomplete")
	if err := os.MkdirAll(filepath.Dir(part), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, h.weights[:len(h.weights)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := c.Model(t.Context(), "org/model", files)
	if err != nil {
		t.Fatal(err)
	}
	h.wantModel(dir)
	if h.count("GET /weights bytes="+strconv.Itoa(len(h.weights)-1)) != 1 {
		t.Errorf("the requests were %v", h.requests)
	}
}

func TestAWrongFileIsRefused(t *testing.T) {
	h := newFakeHub(t)
	h.corrupt = true
	c := h.client()
	_, err := c.Model(t.Context(), "org/model", files)
	if err == nil || !strings.Contains(err.Error(), "not the one announced") {
		t.Fatalf("other bytes than announced: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Cache, "models--org--model", "blobs", "*.incomplete")); len(left) > 0 {
		t.Errorf("the wrong file is kept: %v", left)
	}
	if present(filepath.Join(c.Cache, "models--org--model", "refs", "main")) {
		t.Error("the cache says it has the model")
	}
	h.corrupt = false
	dir, err := c.Model(t.Context(), "org/model", files)
	if err != nil {
		t.Fatal(err)
	}
	h.wantModel(dir)
}

func TestRefusals(t *testing.T) {
	h := newFakeHub(t)
	wrong := append(slices.Clone(files), File{Name: "vocab.txt"})
	for _, c := range []struct {
		model string
		files []File
		want  []string
	}{
		{"org/absent", files, []string{"org/absent", "no such model", "HF_TOKEN"}},
		{"org/gated", files, []string{"org/gated", "on request"}},
		{"org/model@v9", files, []string{"no revision v9"}},
		{"org/model", wrong, []string{"no such file as vocab.txt"}},
		{"../model", files, []string{"no id"}},
	} {
		_, err := h.client().Model(t.Context(), c.model, c.files)
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v lacks %q", c.model, err, part)
			}
		}
	}
	c := h.client()
	c.Endpoint = h.store.URL
	if _, err := c.Model(t.Context(), "org/model", files); err == nil || !strings.Contains(err.Error(), "is HF_ENDPOINT a hub?") {
		t.Errorf("a server that is no hub: %v", err)
	}
}

func TestOffline(t *testing.T) {
	h := newFakeHub(t)
	c := h.client()
	c.Offline = true
	_, err := c.Model(t.Context(), "org/model", files)
	for _, part := range []string{"org/model", "config.json, model.safetensors", "HF_HUB_OFFLINE", c.Cache} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v lacks %q", err, part)
		}
	}
	if len(h.requests) != 0 {
		t.Errorf("offline, the hub was asked %v", h.requests)
	}
}

func TestFromEnv(t *testing.T) {
	for _, c := range []struct {
		env             map[string]string
		cache, endpoint string
		offline         bool
	}{
		{nil, "/home/u/.cache/huggingface/hub", publicEndpoint, false},
		{map[string]string{"XDG_CACHE_HOME": "/x"}, "/x/huggingface/hub", publicEndpoint, false},
		{map[string]string{"HF_HOME": "/h", "XDG_CACHE_HOME": "/x", "HF_HUB_OFFLINE": "1"}, "/h/hub", publicEndpoint, true},
		{map[string]string{"HF_HUB_CACHE": "/c", "HF_HOME": "/h", "HF_ENDPOINT": "http://mirror/", "HF_HUB_OFFLINE": "0"}, "/c", "http://mirror", false},
	} {
		got := FromEnv(func(name string) string { return c.env[name] }, "/home/u")
		if got.Cache != c.cache || got.Endpoint != c.endpoint || got.Offline != c.offline {
			t.Errorf("%v gives %s, %s, %v", c.env, got.Cache, got.Endpoint, got.Offline)
		}
	}
}

func TestIsID(t *testing.T) {
	for text, want := range map[string]bool{
		"org/name": true, "name": true, "org/name@v1.0": true, "org/na.me_2-b": true, "": false, "/abs": false, "./x": false, "../x": false,
		"a/b/c": false, "a/../b": false, "a b": false, "org/na--me": false,
	} {
		if IsID(text) != want {
			t.Errorf("IsID(%q) = %v", text, !want)
		}
	}
}
