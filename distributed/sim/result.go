package sim

import (
	"context"
	"math"
	"slices"
	"time"

	"shmbench/distributed"
	"shmbench/internal/results/stat"
)

// End says why a run ended.
type End uint8

const (
	running   End = iota
	Complete      // all entries were made
	TimeUp        // Options.Until came
	Stuck         // nothing is left that could happen
	Stalled       // a process waits, no thread has entered for Options.Patience
	Violated      // two were inside, or a node broke the contract
	Flooded       // more messages were under way than there is room for
	Cancelled     // the context was canceled
)

var endNames = [...]string{"running", "complete", "time up", "stuck", "stalled", "violated", "flooded", "canceled"}

func (e End) String() string { return endNames[e] }

// MarshalText implements encoding.TextMarshaler.
func (e End) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// A Result is what one run measured, over the entries completed after the
// warm-up. The intervals come from batch means within the run, and are none
// where the run is too short for them: see Replicate for better ones.
type Result struct {
	End    End
	Detail string // in words, where End is neither Complete nor Canceled

	Entries int           // measured
	Time    time.Duration // in which they were made
	Events  int64         // in the whole run, warm-up included

	Messages   distributed.Tally // sent
	Idle       int64             // of them sent while no thread waited or was in its critical section
	Lost       int64
	Duplicated int64

	MessagesPerEntry Interval
	Waiting          Interval // s, from the request to the permission
	SyncDelay        Interval // s, from a leave to the next entry, if a process waited
	Throughput       Interval // entries a second
	Local            Interval // share of entries that no message brought

	Series *Series // if Options.Series

	LongestWait time.Duration
	Bypass      int64   // most entries of all others together while one waited
	Jain        float64 // (Σx)²/(nΣx²) of the entries x of each of the n nodes

	Busiest float64 // share of the messages that one node sends or takes, the most of all nodes

	// Those that wait when the run ends count in LongestWait and Bypass.
	Waiters  int    // how many they are
	Oldest   Waiter // the thread that has waited longest, if there is one
	Starving int    // how many have waited for more than Options.Patience

	NotCarriedOut []string // faults planned that had no effect, and why

	Crashes       int64
	CrashedInside int64 // of them with a thread inside

	Revoked  int64 // entries cut short: the permission was taken back
	Overlaps int64 // entries while another was inside, if Options.GoOn
}

// A Waiter is a thread that waits.
type Waiter struct {
	Node   distributed.ID
	Thread distributed.Thread
	Waited time.Duration
}

// Run makes one run. Its error says what is wrong with o; a failure of the run is the
// Result's End. One failure cannot be caught: a node that recurses without end ends the
// program. Make runs of untrusted nodes in a process of their own.
func Run(ctx context.Context, o Options) (Result, error) {
	s, err := Begin(o)
	if err != nil {
		return Result{}, err
	}
	return s.Run(ctx), nil
}

// A Simulation is one run that may be lengthened.
type Simulation struct{ e *engine }

// Begin makes the beginning of a run. Its error says what is wrong with o.
func Begin(o Options) (*Simulation, error) {
	e, err := newEngine(&o)
	if err != nil {
		return nil, err
	}
	e.start()
	return &Simulation{e}, nil
}

// Run plays the run to its end.
func (s *Simulation) Run(ctx context.Context) Result {
	s.e.play(ctx, math.MaxInt64)
	return s.e.result()
}

// Lengthen makes the warm-up of a run that is complete end after so many
// entries, which must be no fewer than it has made already. It is then as if it
// had been begun so: the next Run measures as many entries as before, after these.
func (s *Simulation) Lengthen(warmup int) {
	e := s.e
	e.end = running
	e.meter.lengthen(warmup)
	e.resume()
}

func (e *engine) result() Result {
	c := &e.meter
	r := Result{
		End: e.end, Detail: e.detail,
		Entries: max(0, c.left-c.warmup), Time: time.Duration(c.now - c.open), Events: c.events,
		Messages: c.kinds, Idle: c.idle, Lost: c.lost, Duplicated: c.doubled,
		Series: c.series, LongestWait: time.Duration(c.longestWait), Bypass: c.bypass, Jain: stat.Jain(c.perNode),
		NotCarriedOut: e.notCarriedOut(), Crashes: c.crashes, CrashedInside: c.crashedInside, Revoked: c.revoked, Overlaps: c.overlaps,
	}
	r.Busiest = float64(slices.Max(c.traffic)) / float64(c.kinds.Total())
	if e.o.System.Server {
		r.Jain = stat.Jain(c.perNode[1:])
	}
	e.waiters(&r)
	r.MessagesPerEntry = c.batches.measure(func(b *batch) (float64, bool) {
		return float64(b.messages) / float64(b.entries), b.entries > 0
	})
	r.Waiting = c.batches.measure(func(b *batch) (float64, bool) {
		return b.wait / 1e9 / float64(b.entries), b.entries > 0
	})
	r.SyncDelay = c.batches.measure(func(b *batch) (float64, bool) {
		return b.handover / 1e9 / float64(b.handovers), b.handovers > 0
	})
	r.Throughput = c.batches.measure(func(b *batch) (float64, bool) {
		return float64(b.entries) / (float64(b.to-b.from) / 1e9), b.entries > 0 && b.to > b.from
	})
	r.Local = c.batches.measure(func(b *batch) (float64, bool) {
		return float64(b.local) / float64(b.entries), b.entries > 0
	})
	return r
}
