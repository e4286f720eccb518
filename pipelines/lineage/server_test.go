package lineage

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// serve answers the n-th request, from 0.
func serve(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *server {
	t.Helper()
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++ // one request at a time
		answer(n-1, w, r)
	}))
	t.Cleanup(s.Close)
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	one := newServer(base, bearer("key"))
	one.client = s.Client()
	one.pace = fastPace()
	return one
}

func TestAsksAgain(t *testing.T) {
	for name, failure := range map[string]func(w http.ResponseWriter){
		"500": func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"503": func(w http.ResponseWriter) { http.Error(w, "starting", http.StatusServiceUnavailable) },
		"429 for an hour": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"429 until a day": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "Fri, 31 Dec 2100 23:59:59 GMT")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"a broken connection": func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"a broken announcement": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "soon")
			w.WriteHeader(http.StatusTooManyRequests)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var bodies []string
			s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				bodies = append(bodies, string(body))
				if n < 2 {
					failure(w)
					return
				}
				_, _ = io.WriteString(w, `{"id": 7}`)
			})
			var answer struct{ ID int }
			if err := s.post(context.Background(), "/x", map[string]int{"a": 1}, &answer); err != nil || answer.ID != 7 {
				t.Errorf("%+v, %v", answer, err)
			}
			if strings.Join(bodies, " ") != `{"a":1} {"a":1} {"a":1}` {
				t.Errorf("sent %v", bodies)
			}
			if s.unreachable() {
				t.Error("a server that answered passes for unreachable")
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for value, want := range map[string]func(time.Duration) bool{
		"7":  func(d time.Duration) bool { return d == 7*time.Second },
		"-3": func(d time.Duration) bool { return d <= 0 },
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat): func(d time.Duration) bool { return d > 50*time.Minute && d <= time.Hour },
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}); !want(got) {
			t.Errorf("%s: %s", value, got)
		}
	}
}

func TestGivesUp(t *testing.T) {
	n := 0
	s := serve(t, func(i int, w http.ResponseWriter, _ *http.Request) { n = i + 1; w.WriteHeader(http.StatusBadGateway) })
	err := s.get(context.Background(), "/x", nil, nil)
	if err == nil || n != 4 || !s.unreachable() {
		t.Errorf("%d requests, %v", n, err)
	}
	if err := s.get(context.Background(), "/x", nil, nil); err == nil || n != 5 {
		t.Errorf("a server that did not answer is asked %d times at once", n-4)
	}
}

func TestRefusalIsFinal(t *testing.T) {
	n := 0
	s := serve(t, func(i int, w http.ResponseWriter, r *http.Request) {
		n = i + 1
		if r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error_code": "PERMISSION_DENIED", "message": "who are you?"}`)
	})
	err := s.get(context.Background(), "/x", nil, nil)
	var no *refusal
	if !errors.As(err, &no) || no.code != "PERMISSION_DENIED" || n != 1 {
		t.Errorf("%d requests, %v", n, err)
	}
	if !strings.HasPrefix(err.Error(), "GET http://") || !strings.HasSuffix(err.Error(), "/x: the server answers 401 Unauthorized: who are you?") {
		t.Error(err)
	}
}

func TestAnswerThatIsNoJSON(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>\n a login page "+strings.Repeat("é", 500))
	})
	var answer struct{}
	err := s.get(context.Background(), "/x", nil, &answer)
	if err == nil || !strings.Contains(err.Error(), "not the JSON that was expected") || !strings.Contains(err.Error(), "<html> a login page") || len(err.Error()) > 500 {
		t.Error(err)
	}
}

func TestSlowServer(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n < 2 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		_, _ = io.WriteString(w, "{}")
	})
	t.Cleanup(func() { close(release) })
	s.pace.timeout = 50 * time.Millisecond
	if err := s.get(context.Background(), "/x", nil, nil); err != nil {
		t.Error(err)
	}
}

func TestServerDown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	s := newServer(&url.URL{Scheme: "http", Host: address, User: url.UserPassword("user", "secret")}, bearer(""))
	s.pace = fastPace()
	err = s.get(context.Background(), "/x", nil, nil)
	if err == nil || !s.unreachable() || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

func TestFileThatIsGone(t *testing.T) {
	s := serve(t, func(_ int, _ http.ResponseWriter, r *http.Request) { t.Errorf("asked: %s", r.URL) })
	if err := s.upload(context.Background(), "/x", t.TempDir()+"/none"); !errors.Is(err, os.ErrNotExist) || s.unreachable() {
		t.Error(err)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 3, "abc"}, {"abcdefghij", 9, "abc [cut]"}, {"aäöüäöü", 10, "aä [cut]"}} {
		if got := cut(c.text, c.limit); got != c.want {
			t.Errorf("cut(%q, %d) is %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}
