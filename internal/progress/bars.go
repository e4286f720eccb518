package progress

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Bars draws a bar per task on a terminal. Close it before anything else is printed.
type Bars struct{ container *mpb.Progress }

// NewBars draws on w, which is a terminal.
func NewBars(w io.Writer) *Bars {
	return &Bars{mpb.New(mpb.WithOutput(w), mpb.WithWidth(48), mpb.WithRefreshRate(200*time.Millisecond))}
}

// Close stops drawing and leaves the last state of every bar on the terminal, also of tasks that an error ended.
func (b *Bars) Close() { b.container.Shutdown() }

// Start implements Reporter.
func (b *Bars) Start(stage string, total int64, unit Unit) Task {
	t := &barTask{tally: newTally(stage, total, unit)}
	amount := decor.CountersNoUnit("%d / %d "+string(unit), decor.WC{W: 26})
	speed := decor.AverageSpeed(0, "%.0f/s", decor.WC{W: 12})
	if unit == Bytes {
		amount = decor.CountersKibiByte("% .1f / % .1f", decor.WC{W: 26})
		speed = decor.AverageSpeed(decor.SizeB1024(0), "% .1f", decor.WC{W: 12})
	}
	t.bar = b.container.AddBar(total,
		mpb.PrependDecorators(decor.Name(stage, decor.WC{W: 10, C: decor.DindentRight}), amount),
		mpb.AppendDecorators(speed, decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}),
			decor.Any(func(decor.Statistics) string { return " " + t.asides() })),
	)
	return t
}

type barTask struct {
	*tally
	bar *mpb.Bar
}

func (t *barTask) Add(n int64) {
	t.tally.Add(n)
	t.bar.IncrInt64(n)
}

func (t *barTask) SetTotal(n int64) {
	t.tally.SetTotal(n)
	t.bar.SetTotal(n, false)
}

func (t *barTask) Done() { t.bar.SetTotal(-1, true) }

// tally keeps the numbers of a task for a printer.
type tally struct {
	stage string
	unit  Unit
	start time.Time

	mu       sync.Mutex
	done     int64
	total    int64
	counters map[string]float64
}

func newTally(stage string, total int64, unit Unit) *tally {
	return &tally{stage: stage, unit: unit, start: time.Now(), total: total, counters: map[string]float64{}}
}

func (t *tally) Add(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += n
}

func (t *tally) SetTotal(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total = n
}

func (t *tally) Count(name string, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counters[name] += float64(n)
}

func (t *tally) Gauge(name string, value float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counters[name] = value
}

// number writes counts whole and values such as a loss with four digits.
func number(value float64) string {
	if value == math.Trunc(value) {
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	return strconv.FormatFloat(value, 'g', 4, 64)
}

// asides are the counters beside the main one, sorted: "dead_letters 3  lag 120".
func (t *tally) asides() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for name, value := range t.counters {
		parts = append(parts, name+" "+number(value))
	}
	slices.Sort(parts)
	return strings.Join(parts, "  ")
}
