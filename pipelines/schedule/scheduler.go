package schedule

import (
	"context"
	"log/slog"
	"time"
)

// heartbeat is the longest sleep. A timer does not notice that the machine slept or that somebody set the clock.
const heartbeat = 30 * time.Second

// scheduler is the loop that turns fires into runs. Everything in it belongs to the goroutine of loop; a run and a
// look at the topic are goroutines of their own that report by a channel.
type scheduler struct {
	config   Config
	log      *slog.Logger
	clock    func() time.Time
	calendar *calendar // nil without a cron line
	next     time.Time // fire of the cron line; zero when there is none
	gauges   *gauges
	state    state
	path     string // of the state file
	result   Result

	queued   *fire     // waits for its turn
	notUntil time.Time // the queued fire waits at least as long, because another process held the workspace; else zero
	running  *fire
	begun    time.Time
	ended    chan ending

	topic *topic // nil without WhenNew
}

func newScheduler(c Config, path string, w world) (*scheduler, error) {
	s := &scheduler{
		config: c, log: c.log(), path: path, gauges: newGauges(c), ended: make(chan ending, 1),
		// Without the monotonic reading, times compare as the clock on the wall shows them.
		clock:  func() time.Time { return w.clock().Round(0) },
		result: Result{Pipeline: c.Pipeline, Runs: map[Outcome]int64{}, Skipped: map[Reason]int64{}},
	}
	var err error
	if s.state, err = loadState(path, c, s.clock()); err != nil {
		return nil, err
	}
	if c.Cron != "" {
		line, err := parseLine(c.Cron, c.TimeZone)
		if err != nil {
			return nil, err
		}
		s.calendar = &calendar{line: line, handled: s.state.Handled}
	}
	if c.WhenNew > 0 {
		s.topic = newTopic(c, w.count)
	}
	s.gauges.register(c.Metrics)
	s.gauges.last(s.state)
	return s, s.state.write(path)
}

func (s *scheduler) loop(ctx context.Context) error {
	s.log.Info("schedule started", "pipeline", s.config.Pipeline, "cron", s.config.Cron, "time_zone", s.config.TimeZone,
		"when_new", s.config.WhenNew, "overlap", s.config.Overlap, "missed", s.config.Missed)
	s.resume()
	for {
		s.lookAtClock()
		s.begin(ctx)
		wake := time.NewTimer(s.nap())
		select {
		case <-ctx.Done():
			wake.Stop()
			return s.stop(ctx)
		case e := <-s.ended:
			if err := s.finish(ctx, e); err != nil { // the run saw the stop before the loop did
				s.topic.wait()
				return err
			}
		case <-s.topic.due():
			s.topic.look(ctx)
		case seen := <-s.topic.seen():
			s.lookAtTopic(seen)
		case <-wake.C:
		}
		wake.Stop()
	}
}

// nap is how long nothing happens by the clock.
func (s *scheduler) nap() time.Duration {
	nap := heartbeat
	if !s.next.IsZero() {
		nap = min(nap, s.next.Sub(s.clock()))
	}
	if s.queued != nil && s.running == nil {
		nap = min(nap, time.Until(s.notUntil))
	}
	return nap
}

// resume deals with a run that an earlier process began and did not end.
func (s *scheduler) resume() {
	f := s.state.Unfinished
	if f == nil {
		return
	}
	if s.config.Missed == Skip {
		s.log.Warn("the run that was cut off is left", "trigger", f.Trigger, "due", f.At)
		s.skip(Missed)
		s.state.Unfinished = nil
		s.save()
		return
	}
	s.log.Info("a run was cut off: running it again", "trigger", f.Trigger, "due", f.At)
	s.enqueue(*f)
}

// lookAtClock takes the fires of the cron line that have come.
func (s *scheduler) lookAtClock() {
	if s.calendar == nil {
		return
	}
	now := s.clock()
	d := s.calendar.look(now)
	if d.back {
		s.log.Warn("the clock was set back by more than an hour: going on from the time it shows", "now", now, "fires_handled_until", s.calendar.handled)
	}
	s.next = d.next
	s.gauges.nextFire.Set(unix(d.next))
	if d.at.IsZero() {
		return
	}
	s.state.Handled = s.calendar.handled
	s.gauges.fires.WithLabelValues(string(Cron)).Inc()
	if d.missed > 0 && s.config.Missed == Skip {
		s.log.Warn("missed fires are left out", "first", d.at, "fires", d.missed)
		s.skip(Missed)
	} else {
		if d.missed > 0 {
			s.log.Info("missed fires become one run", "first", d.at, "fires", d.missed)
		}
		s.offer(fire{Cron, d.at})
	}
	s.save()
}

// lookAtTopic weighs what was seen in the topic.
func (s *scheduler) lookAtTopic(seen look) {
	enough, err := s.topic.weigh(seen)
	if err != nil {
		s.gauges.pollErrors.Inc()
		return
	}
	s.gauges.waiting.Set(float64(seen.waiting))
	if !enough || s.running != nil || s.queued != nil {
		return
	}
	s.log.Info("enough new patents", "waiting", seen.waiting, "when_new", s.config.WhenNew)
	s.gauges.fires.WithLabelValues(string(New)).Inc()
	s.topic.trying = seen.taken
	s.enqueue(fire{New, s.clock()})
}
