package bench

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// edge is where a phase begins: the first passage that saw it, counted from 0
// by the critical section, and when that one was inside.
type edge struct {
	at      int64
	passage uint64
}

// whole is the end of a window that has not ended.
var whole = edge{math.MaxInt64, math.MaxUint64}

// wait is one passage's way into the critical section.
type wait struct {
	called, entered int64  // before Lock was called, and after it returned
	before, passage uint64 // passages begun when Lock was called, and when it had returned
	released        int64  // when the passage before this one called Unlock, 0 if it did not say
}

// until cuts the wait off where the window ends: it counts with what it lasted
// until then. It is false for a wait that began after the end.
func (w wait) until(end edge) (wait, bool) {
	if w.called > end.at {
		return w, false
	}
	if w.entered > end.at {
		w.released = 0
	}
	w.entered = min(w.entered, end.at)
	w.passage = max(w.before, min(w.passage, end.passage))
	return w, true
}

// waits is what a process, or all of them, waited in the timing window.
type waits struct {
	latency  *hdrhistogram.Histogram
	handoff  *hdrhistogram.Histogram
	bypassed uint64 // the most passages of others during one wait
}

// Latencies are kept to two digits, from 1 ns to 100 s.
func newWaits() *waits {
	return &waits{latency: hdrhistogram.New(1, 100e9, 2), handoff: hdrhistogram.New(1, 100e9, 2)}
}

// add notes a wait, which in an open loop counts from when the passage was due.
func (a *waits) add(w wait, due int64, end edge) {
	w, ok := w.until(end)
	if !ok {
		return
	}
	from := w.called
	if due != 0 {
		from = due
	}
	count(a.latency, w.entered-from)
	a.bypassed = max(a.bypassed, w.passage-w.before)
	if w.released > w.called { // it was waiting when the last one left
		count(a.handoff, w.entered-w.released)
	}
}

// merge adds another process's waits.
func (a *waits) merge(b *waits) {
	a.latency.Merge(b.latency)
	a.handoff.Merge(b.handoff)
	a.bypassed = max(a.bypassed, b.bypassed)
}

func count(h *hdrhistogram.Histogram, ns int64) {
	// A value out of the histogram's range is counted at its end.
	_ = h.RecordValue(min(max(ns, h.LowestTrackableValue()), h.HighestTrackableValue()))
}
