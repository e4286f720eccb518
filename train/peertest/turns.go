package peertest

import (
	"slices"
	"testing"
)

// Turns is what a comparison measured.
type Turns struct {
	Ours  Seconds // medians
	Times Seconds // how many times longer the peer took: medians of the rounds' ratios; zero without a peer
}

// Take measures ours and a task of the peer in turns, in every other round the peer first, after one run each to warm
// up. A nil peer has no turns.
func Take(rounds int, ours func() error, peer *Peer, task string) (Turns, error) {
	var wall, cpu, timesWall, timesCPU []float64
	for round := range rounds + 1 {
		us, them, err := both(ours, peer, task, round%2 == 1)
		if err != nil {
			return Turns{}, err
		}
		if round == 0 {
			continue
		}
		wall, cpu = append(wall, us.Wall), append(cpu, us.CPU)
		if peer != nil {
			timesWall, timesCPU = append(timesWall, them.Wall/us.Wall), append(timesCPU, them.CPU/us.CPU)
		}
	}
	return Turns{Seconds{median(wall), median(cpu)}, Seconds{median(timesWall), median(timesCPU)}}, nil
}

func both(ours func() error, peer *Peer, task string, peerFirst bool) (us, them Seconds, err error) {
	if peer == nil {
		us, err = Time(ours)
		return us, them, err
	}
	if peerFirst {
		if them, err = peer.Run(task); err == nil {
			us, err = Time(ours)
		}
		return us, them, err
	}
	if us, err = Time(ours); err == nil {
		them, err = peer.Run(task)
	}
	return us, them, err
}

// median of no values is 0.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	slices.Sort(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// Report adds the figures to a benchmark's, as s/<what>, cpu-s/<what>, x-wall-<what> and x-cpu-<what>.
func (t Turns) Report(b *testing.B, what string) {
	b.ReportMetric(t.Ours.Wall, "s/"+what)
	b.ReportMetric(t.Ours.CPU, "cpu-s/"+what)
	if t.Times != (Seconds{}) {
		b.ReportMetric(t.Times.Wall, "x-wall-"+what)
		b.ReportMetric(t.Times.CPU, "x-cpu-"+what)
	}
}
