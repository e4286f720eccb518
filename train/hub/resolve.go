package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"dssdnet/internal/fault"
)

// info is what the hub says of a file before it is downloaded.
type info struct {
	name   string
	url    string
	commit string
	etag   string // SHA-256 of a large file, git's hash of a small one
	size   int64
}

// errNoFile says that the commit lacks the file.
var errNoFile = errors.New("no such file")

// headTimeout is for a request that has no content.
const headTimeout = 30 * time.Second

var etagRule = regexp.MustCompile(`^[\w-][\w.-]*$`)

// resolve asks for a file of a revision. The answer of the hub itself counts, not that of the store it points to.
func (c *Client) resolve(ctx context.Context, m id, name string) (info, error) {
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	address := fmt.Sprintf("%s/%s/resolve/%s/%s", c.Endpoint, m.name, url.PathEscape(m.revision), name)
	request, err := c.request(ctx, http.MethodHead, address)
	if err != nil {
		return info{}, err
	}
	hub := *c.HTTP
	hub.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if next.URL.Host != via[0].URL.Host || next.Response.Header.Get("X-Linked-Etag") != "" || len(via) > 5 {
			return http.ErrUseLastResponse
		}
		return nil // a model that was renamed
	}
	response, err := hub.Do(request)
	if err != nil {
		return info{}, fmt.Errorf("ask the hub: %w", err)
	}
	defer response.Body.Close()
	if err := c.refusal(response, m, name); err != nil {
		return info{}, err
	}
	return describe(response, name, address)
}

func (c *Client) request(ctx context.Context, method, address string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, fault.New(fault.Usage, "the hub's address (HF_ENDPOINT): %w", err)
	}
	request.Header.Set("Accept-Encoding", "identity") // sizes and ranges are of the file
	request.Header.Set("User-Agent", "dssdnet")
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token) // not sent on to another host
	}
	return request, nil
}

// refusal says in words why the hub does not give a file.
func (c *Client) refusal(r *http.Response, m id, name string) error {
	if r.StatusCode < 400 {
		return nil
	}
	switch code := r.Header.Get("X-Error-Code"); {
	case code == "EntryNotFound":
		return fmt.Errorf("the model has %w as %s", errNoFile, name)
	case code == "RevisionNotFound":
		return fault.New(fault.Usage, "the model has no revision %s", m.revision)
	case code == "GatedRepo":
		return fault.New(fault.Usage, "its owners give access on request: ask for it on %s/%s, then set HF_TOKEN", c.Endpoint, m.name)
	case code == "RepoNotFound", r.StatusCode == http.StatusUnauthorized, r.StatusCode == http.StatusForbidden:
		return fault.New(fault.Usage, "%s has no such model, or not for everyone: check the name, or set HF_TOKEN", c.Endpoint)
	case r.StatusCode == http.StatusNotFound: // a mirror that gives no code
		return fmt.Errorf("the model has %w as %s", errNoFile, name)
	}
	return fmt.Errorf("%s answers %s", r.Request.URL, r.Status)
}

func describe(r *http.Response, name, address string) (info, error) {
	first := func(keys ...string) string {
		for _, key := range keys {
			if v := r.Header.Get(key); v != "" {
				return v
			}
		}
		return ""
	}
	i := info{name: name, url: address, commit: r.Header.Get("X-Repo-Commit")}
	i.etag = strings.Trim(strings.TrimPrefix(first("X-Linked-Etag", "ETag"), "W/"), `"`)
	if !commitRule.MatchString(i.commit) || !etagRule.MatchString(i.etag) {
		return i, fmt.Errorf("%s answers without the commit and the hash of %s: is HF_ENDPOINT a hub?", r.Request.URL, name)
	}
	var err error
	if i.size, err = strconv.ParseInt(first("X-Linked-Size", "Content-Length"), 10, 64); err != nil || i.size < 0 {
		return i, fmt.Errorf("%s answers without the size of %s: is HF_ENDPOINT a hub?", r.Request.URL, name)
	}
	return i, nil
}
