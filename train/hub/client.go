package hub

import (
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"dssdnet/internal/progress"
)

// publicEndpoint is the hub itself; HF_ENDPOINT names a mirror.
const publicEndpoint = "https://huggingface.co"

// Client of a hub with its cache.
type Client struct {
	Endpoint string // URL of the hub, without a slash at its end
	Cache    string // folder that holds models--org--name/
	Offline  bool   // never ask the hub
	Token    string // for private and gated models; "" for none
	HTTP     *http.Client
	Log      *slog.Logger
	Progress progress.Reporter

	stall time.Duration // without a byte after which a download is broken off
	pause time.Duration // before a second try, twice as long before every further one
}

// FromEnv makes a client of the variables that Hugging Face's tools read: HF_ENDPOINT, HF_HUB_CACHE, HF_HOME,
// XDG_CACHE_HOME, HF_HUB_OFFLINE and HF_TOKEN. home is the user's home folder.
func FromEnv(env func(string) string, home string) *Client {
	first := func(values ...string) string {
		for _, v := range values {
			if v != "" {
				return v
			}
		}
		return ""
	}
	within := func(dir, name string) string {
		if dir == "" {
			return ""
		}
		return filepath.Join(dir, name)
	}
	c := &Client{
		Endpoint: strings.TrimRight(first(env("HF_ENDPOINT"), publicEndpoint), "/"),
		Cache: first(env("HF_HUB_CACHE"), within(env("HF_HOME"), "hub"), within(env("XDG_CACHE_HOME"), "huggingface/hub"),
			filepath.Join(home, ".cache/huggingface/hub")),
		Token: env("HF_TOKEN"),
		HTTP:  http.DefaultClient,
		Log:   slog.New(slog.DiscardHandler),
		stall: time.Minute, pause: time.Second,
	}
	switch strings.ToLower(env("HF_HUB_OFFLINE")) {
	case "1", "on", "yes", "true":
		c.Offline = true
	}
	return c
}

// id of a model, with the revision that is wanted of it.
type id struct{ name, revision string }

var idRule = regexp.MustCompile(`^(([\w.-]+/)?[\w.-]+)(@([\w./-]+))?$`)

func parse(text string) (id, bool) {
	m := idRule.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "..") || strings.Contains(text, "--") || strings.ContainsAny(text[:1], "./") {
		return id{}, false
	}
	if m[4] == "" {
		m[4] = "main"
	}
	return id{m[1], m[4]}, true
}

// IsID says whether a text can be a model's id. "name" can, and so can the path of a folder: look for one first.
func IsID(text string) bool {
	_, ok := parse(text)
	return ok
}
