package report_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// browser is headless Chromium on a page, or skips the test. What the page says on its console as an error fails it.
func browser(t *testing.T, page string) context.Context {
	t.Helper()
	binary := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			binary = path
			break
		}
	}
	if binary == "" {
		t.Skip("needs Chromium: apt-get install chromium")
	}
	ctx, cancel := chromedp.NewContext(t.Context(), chromedp.WithErrorf(t.Logf), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(binary), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true),
	))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // starts the browser, which lives as long as this call's context
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for message, err := range messages {
			if err == nil && (message.IsException() || message.Type == chromedp.ConsoleError) {
				t.Errorf("the page says %s", message)
			}
		}
	}()
	do(t, ctx, chromedp.Navigate("file://"+page), chromedp.WaitVisible(chromedp.CSS("#topic-view table")))
	return ctx
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// text evaluates an expression of the page.
func text(t *testing.T, ctx context.Context, expression string) string {
	t.Helper()
	result, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return result
}

// choose selects an option as a user does.
func choose(t *testing.T, ctx context.Context, id, value string) {
	t.Helper()
	text(t, ctx, fmt.Sprintf(`(() => { const s = document.getElementById(%q); s.value = [...s.options].find((o) => o.textContent.startsWith(%q)).value; s.dispatchEvent(new Event("change")); })()`, id, value))
}

// TestPageInABrowser opens the page and uses it. DSSDNET_SCREENSHOTS names a folder that gets pictures of it.
func TestPageInABrowser(t *testing.T) {
	c, _ := made(t, 40)
	page := filepath.Join(c.Dir(), "report.html")
	if path := os.Getenv("DSSDNET_REPORT"); path != "" {
		page = path // a report of your own, to take pictures of
	}
	ctx := browser(t, page)
	for id, want := range map[string]string{
		"#curve-charts svg": "2", "#histograms svg": "5", "#test-chart circle": "2", "#loss-train path": "3", "#slice-chart rect": "6", "#point-chart circle": "40",
	} {
		if got := text(t, ctx, fmt.Sprintf(`document.querySelectorAll(%q).length`, id)); got != want && os.Getenv("DSSDNET_REPORT") == "" {
			t.Errorf("%s: %s on the page, want %s", id, got, want)
		}
	}
	t.Run("look", func(t *testing.T) { look(t, ctx) })
	if os.Getenv("DSSDNET_REPORT") == "" {
		t.Run("use", func(t *testing.T) { use(t, ctx) })
	}
}

func use(t *testing.T, ctx context.Context) {
	// A slice of another kind.
	choose(t, ctx, "slice-name", "ipc-section")
	if got := text(t, ctx, `document.querySelector("#slice-chart figcaption").textContent`); !strings.HasSuffix(got, "by ipc-section") {
		t.Errorf("the chart of slices is %q", got)
	}
	// A point of the scatter plot leads to its topic in the explorer, or says that it has none.
	text(t, ctx, `(() => { const known = page.data.explorer.topics[3].id; document.querySelector('circle[data-topic="' + known + '"]').dispatchEvent(new MouseEvent("click")); })()`)
	if got, want := text(t, ctx, `document.querySelector("#topic-view .query h3").textContent`), text(t, ctx, `page.data.explorer.topics[3].title`); got != want {
		t.Errorf("the explorer shows %q, want %q", got, want)
	}
	text(t, ctx, `page.explore("EP-0000000-A1", 1)`)
	if got := text(t, ctx, `document.querySelector("#topic-view").textContent`); !strings.Contains(got, "no rankings of topic EP-0000000-A1") {
		t.Errorf("the explorer says %q", got)
	}
	// The filter, typed.
	id := text(t, ctx, `page.data.explorer.topics[7].id`)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#topic-filter"), id))
	if got := text(t, ctx, `document.querySelectorAll("#topic-choice option").length + " " + document.querySelector("#topic-view .query small").textContent`); !strings.HasPrefix(got, "1 "+id) {
		t.Errorf("the filter gives %q", got)
	}
	// A gold is marked, markup in a text is text.
	if got := text(t, ctx, `page.data.explorer.topics[7].rankings[1].filter((c) => c.grade).length === document.querySelectorAll("#topic-view tr.gold").length`); got != "true" {
		t.Error("golds are not marked")
	}
	if got := text(t, ctx, `document.querySelectorAll("#topic-view b b, #topic-view p b").length`); got != "0" {
		t.Error("a text became markup")
	}
	// The hover of a chart.
	text(t, ctx, `document.querySelector("#curve-charts rect").dispatchEvent(new MouseEvent("mousemove", { clientX: 300, clientY: 200 }))`)
	if got := text(t, ctx, `document.querySelector("#tip").textContent`); !strings.HasPrefix(got, "k ") || !strings.Contains(got, "dssdnet") {
		t.Errorf("the hover says %q", got)
	}
	// The theme changes colours, and changes back.
	ground := func() string { return text(t, ctx, `getComputedStyle(document.body).backgroundColor`) }
	first := ground()
	do(t, ctx, chromedp.Click(chromedp.CSS("#theme")))
	if ground() == first {
		t.Error("the theme does not change")
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#theme")))
	if ground() != first {
		t.Error("the theme does not change back")
	}
}

// look opens the page in both themes, wide and on a phone: it never scrolls sideways.
func look(t *testing.T, ctx context.Context) {
	folder := os.Getenv("DSSDNET_SCREENSHOTS")
	grounds := map[string]bool{}
	for _, theme := range []string{"light", "dark"} {
		for name, width := range map[string]int64{"desktop": 1280, "phone": 390} {
			media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
				t.Fatal(err)
			}
			do(t, ctx, chromedp.EmulateViewport(width, 844), chromedp.Sleep(300*time.Millisecond)) // for the charts to be drawn in their new width
			if got := text(t, ctx, `document.documentElement.scrollWidth <= innerWidth`); got != "true" {
				t.Errorf("%s, %s: the page is wider than its window: %s", name, theme, text(t, ctx, `[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll")).slice(0, 5).map((e) => e.tagName + "." + e.className).join(" ")`))
			}
			grounds[text(t, ctx, `getComputedStyle(document.body).backgroundColor`)] = true
			if folder == "" {
				continue
			}
			picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, theme+"-"+name+".png"), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(grounds) != 2 {
		t.Errorf("the two themes have the grounds %v", grounds)
	}
}
