package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/internal/testkit/sample"
)

// counting are the locks of testdata/counts. If passages are limited, the value says why.
var counting = map[string]string{
	"NewTicket":    "",
	"NewBackwards": "",
	"NewKept":      "",
	"NewSigned":    "",
	"NewWide":      "",
	"NewSlots":     "",
	"NewBakery":    "",
	"NewFirst":     "",

	"NewShort":    "last does more than count",
	"NewSixty":    "count is compared with 60",
	"NewInside":   "total is compared with 70",
	"NewBytes":    "next does more than count",
	"NewStale":    "the values of version and those that processes keep of it get far apart",
	"NewJumps":    "the values of next and those that processes keep of it get far apart",
	"NewReset":    "last is set to 0",
	"NewHalves":   "word does more than count",
	"NewQuarters": "word does more than count",
	"NewVersion":  "word does more than count",
	"NewSparse":   `the values of number\[\d\] and those that processes keep of it get far apart`,
	"NewListed":   `number\[\d\] does more than count`,
	"NewBrief":    "most holds more than counts",
	"NewCatches":  "the values of back and those that processes keep of it get far apart",
}

// TestCounters: a lock that only counts is decided for any number of passages. What else a lock does
// with a counter is said, and nothing is said of the lock that is not true of it.
func TestCounters(t *testing.T) {
	t.Parallel()
	src := Testdata(t, "counts")
	for constructor, why := range counting {
		n := 2
		if strings.Contains("NewSlots NewShort NewSixty NewInside", constructor) {
			n = 3 // the slots of two processes are a power of two; TestBeyondTwoPassages has two processes
		}
		reports, err := src.Lock(t.Context(), constructor, Options{N: []int{n}, NoCosts: true})
		require.NoError(t, err, constructor)
		for _, r := range reports {
			at := fmt.Sprintf("%s, n=%d", constructor, r.N)
			require.Empty(t, r.Violated(), at)
			if why == "" {
				require.NoError(t, r.Err(), at)
				require.Equal(t, Holds, r.MutualExclusion, at)
				require.Zero(t, r.Passages, at)
				require.Nil(t, r.Overflow, at)
				continue
			}
			require.Len(t, r.Undecided, 1, at)
			require.Regexp(t, "^holds within 2 passages only: "+why+`( \(check/testdata/counts/\w+\.go:\d+\))?; passages after the 2nd were not explored$`, r.Undecided[0].Why, at)
			if o := r.Overflow; o != nil { // it says nothing that is not true of the lock
				if !strings.Contains("NewListed NewSparse", constructor) { // without bakeries, which lose exclusion then
					require.Equal(t, constructor == "NewShort", o.MutualExclusion == Violated, at)
					require.Equal(t, constructor == "NewShort", o.DeadlockFreedom == Violated, at)
				}
			}
		}
	}
}

// TestBeyondTwoPassages: what goes wrong while a register takes its first 128 values is found, and
// replayed on the compiled code.
func TestBeyondTwoPassages(t *testing.T) {
	src := Testdata(t, "counts")
	for constructor, least := range map[string]int{"NewFifth": 5, "NewSixty": 60, "NewInside": 70} {
		reports, err := src.Lock(t.Context(), constructor, Options{N: []int{2}, NoCosts: true, Replays: 1})
		require.NoError(t, err, constructor)
		require.Contains(t, reports[0].Violated(), MutualExclusion, constructor)
		trace := reports[0].Counterexample(MutualExclusion)
		require.Greater(t, len(trace.Steps), least, constructor)
		require.Positive(t, reports[0].Replay.Counterexamples, constructor)
	}
}

// TestCountersAgree: a lock that only counts has, within two and three passages, as many states and
// the same verdicts as the lock itself.
func TestCountersAgree(t *testing.T) {
	t.Parallel()
	src := Testdata(t, "counts")
	for constructor, why := range counting {
		require.Equal(t, why == "" || constructor == "NewShort", agree(t, src.pkg.Lock(constructor)), constructor)
	}
	for _, broken := range []string{"NewFifth", "NewBelow", "NewNinth"} {
		require.False(t, agree(t, src.pkg.Lock(broken)), broken)
	}
	for _, broken := range []string{"NewOpen", "NewTie"} {
		require.True(t, agree(t, src.pkg.Lock(broken)), broken)
	}
	for _, name := range []string{"queue/ticket", "queue/partitioned", "queue/twa", "queue/anderson", "numa/hticket"} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		if sample.All() || name == "queue/partitioned" {
			require.True(t, agree(t, SourceOf(t, name).pkg.Algorithm("All", a)), name)
		}
	}
}

// agree reports whether a lock is decided for any number of passages.
func agree(t *testing.T, l *source.Lock) bool {
	run := &runner{}
	l, err := run.asked(l)
	require.NoError(t, err)
	c := &checking{runner: run, b: source.NewBuilder(l, run.machines), n: 2}
	c.search, _ = run.bounds(l.Name, c.n)
	explore := func(b *source.Builder, passages int) *verdicts {
		learned, err := model.Learn(t.Context(), b.Build, c.n, b.Options(passages, c.search))
		require.NoError(t, err)
		x, err := explored.AsWritten(t.Context(), l, learned, c.search)
		require.NoError(t, err)
		d, err := decide(t.Context(), x.Complete(), costStates)
		require.NoError(t, err)
		return d
	}
	plain := explore(c.b, 2)
	plain.x.Learned.Unbounded = explore(c.b, 0).x.Learned.Unbounded
	exact, _, err := c.exact(t.Context(), plain, nil)
	require.NoError(t, err)
	if exact == nil {
		return false
	}
	class := exact.x.Learned.Model.Classes()[0]
	same := func(modulo uint64, passages int) {
		want, got := explore(c.b, passages).report(), explore(c.counting(modulo, plain.x.Learned.Unbounded), passages).report()
		at := fmt.Sprintf("%s, %d passages", l.Name, passages)
		require.Equal(t, want.States, got.States, at)
		require.Equal(t, want.Transitions, got.Transitions, at)
		require.Equal(t, want.Bypass, got.Bypass, at)
		require.Equal(t, want.Starved, got.Starved, at)
		require.Equal(t, want.RMR, got.RMR, at)
		for _, p := range want.all() {
			if p.name != "" {
				require.Equal(t, *p.v, got.on(p.name), "%s: %s", at, p.name)
			}
		}
	}
	same(class.M, 2)
	same(class.M, 3)
	if class.Lap > 0 { // with a modulus so small that numbers go past it
		x, _, err := c.whole(t.Context(), c.counting(class.M/2, plain.x.Learned.Unbounded))
		require.NoError(t, err)
		if _, ok := x.Exact(); ok {
			same(class.M/2, 6)
		}
	}
	return true
}
