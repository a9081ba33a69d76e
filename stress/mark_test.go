package stress

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/goroutine"
	"shmbench/internal/testkit/deadline"
	"shmbench/shm"
)

// at is where a process is that has made passages and is in a section.
func at(passages, section uint64) uint64 { return passages*sections + section }

func TestEntered(t *testing.T) {
	for _, c := range []struct{ at, entered uint64 }{
		{at(0, remainder), 0}, {at(0, entry), 0}, {at(0, critical), 1}, {at(0, exit), 1},
		{at(1, remainder), 1}, {at(7, entry), 7}, {at(7, critical), 8},
	} {
		require.Equal(t, c.entered, entered(c.at), "%d", c.at)
	}
}

// placed is a runner whose processes are where places say.
func placed(claims shm.Claims, places ...uint64) *runner {
	r := &runner{a: shm.Algorithm{Claims: claims}, n: len(places), shared: newShared(nil)}
	for id, place := range places {
		p := &process{id: id, public: new(public)}
		p.at.Store(place)
		p.goroutine.Store(int64(goroutine.ID())) // which is running
		r.procs = append(r.procs, p)
	}
	return r
}

// Process 0 was marked in its entry section, and has just entered; the others
// have gone on since.
func TestResolve(t *testing.T) {
	fair := shm.Claims{FCFS: true, Bypass: shm.NMinus1}
	bounded := shm.Claims{Bypass: shm.NMinus1}
	for _, c := range []struct {
		name   string
		claims shm.Claims
		marked uint64   // where process 0 was when it was marked
		then   []uint64 // where 1 and 2 were
		now    []uint64
		kind   string // "" for none
	}{
		{"nobody", fair, at(5, entry), []uint64{at(3, remainder), at(4, entry)}, []uint64{at(3, entry), at(4, entry)}, notOvertaken},
		{"by those that were there", fair, at(5, entry), []uint64{at(3, entry), at(4, entry)}, []uint64{at(4, entry), at(5, remainder)}, withinBound},
		{"by a latecomer", fair, at(5, entry), []uint64{at(3, remainder), at(4, entry)}, []uint64{at(4, remainder), at(4, entry)}, outOfOrder},
		{"by a latecomer from its exit section", fair, at(5, entry), []uint64{at(3, exit), at(4, entry)}, []uint64{at(4, exit), at(4, entry)}, outOfOrder},
		{"within the bound, in any order", bounded, at(5, entry), []uint64{at(3, remainder), at(4, entry)}, []uint64{at(5, remainder), at(4, entry)}, withinBound},
		{"beyond the bound by one that may have been in before", bounded, at(5, entry), []uint64{at(3, entry), at(4, entry)}, []uint64{at(5, remainder), at(5, remainder)}, withinBound},
		{"beyond the bound by one, somebody else inside", bounded, at(5, entry), []uint64{at(3, critical), at(4, entry)}, []uint64{at(6, remainder), at(5, remainder)}, beyondBound},
		{"beyond the bound by two", bounded, at(5, entry), []uint64{at(3, entry), at(4, entry)}, []uint64{at(6, remainder), at(5, remainder)}, beyondBound},
		{"a hundred times", shm.Claims{}, at(5, entry), []uint64{at(3, entry), at(4, entry)}, []uint64{at(53, entry), at(54, entry)}, noBound},
		{"more than a hundred times", shm.Claims{}, at(5, entry), []uint64{at(3, entry), at(4, entry)}, []uint64{at(53, entry), at(55, entry)}, manyNoBound},
		{"a mark of another wait", fair, at(4, entry), []uint64{at(3, remainder), at(4, entry)}, []uint64{at(9, remainder), at(4, entry)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := placed(c.claims, append([]uint64{at(5, critical)}, c.now...)...)
			m := &mark{at: c.marked, others: append([]uint64{c.marked}, c.then...)}
			r.procs[0].mark.Store(m)
			r.resolve(r.procs[0], m)
			require.Nil(t, r.procs[0].mark.Load())
			require.Equal(t, c.kind != "" && gradeOf(c.kind) == Forbidden, r.stop.Load())
			for _, o := range r.tally.outcomes(0, 0, 0, 0) {
				if o.Name == c.kind {
					require.Equal(t, uint64(1), o.Count, o.Name)
				} else if !(c.kind == outOfOrder && (o.Name == withinBound || o.Name == beyondBound)) {
					require.Zero(t, o.Count, o.Name)
				}
			}
		})
	}
}

// A run goes on until its time is up and its passages are made, and not forever.
func TestGoesOn(t *testing.T) {
	for _, c := range []struct {
		elapsed      time.Duration
		made, wanted uint64
		goesOn       bool
	}{
		{9 * time.Second, 100, 0, true},
		{11 * time.Second, 100, 0, false},
		{11 * time.Second, 100, 101, true},
		{11 * time.Second, 101, 101, false},
		{49 * time.Second, 100, 101, true},
		{51 * time.Second, 100, 101, false},
	} {
		r := &runner{o: Options{Duration: 10 * time.Second, Passages: c.wanted}, made: c.made, begin: time.Now().Add(-c.elapsed)}
		require.Equal(t, c.goesOn, r.goesOn(), "%+v", c)
	}
}

// A stride between processes of the operating system ends when the run is canceled, stopped
// or stuck, and when its time is up, but not in the first stride.
func TestEndsApart(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx         context.Context
		strides     int
		elapsed     time.Duration
		stuck, stop bool
		ends        bool
	}{
		"there is time":           {ctx: t.Context(), strides: 2, elapsed: time.Second},
		"late in the first":       {ctx: t.Context(), strides: 1, elapsed: time.Minute},
		"late in the second":      {ctx: t.Context(), strides: 2, elapsed: time.Minute, ends: true},
		"canceled":                {ctx: canceled, strides: 1, ends: true},
		"a process does not rest": {ctx: t.Context(), strides: 1, stuck: true, ends: true},
		"stopped":                 {ctx: t.Context(), strides: 1, stop: true, ends: true},
	} {
		r := &runner{o: Options{Duration: 10 * time.Second}, shared: newShared(nil), strides: c.strides, stuck: c.stuck, begin: time.Now().Add(-c.elapsed)}
		r.stop.Store(c.stop)
		require.Equal(t, c.ends, r.endsApart(c.ctx), name)
	}
}

// A process that is overtaken often, for long and at many looks starves; a process that has
// moved, is not in its entry section or has had all it needs does not.
func TestStarvation(t *testing.T) {
	begin := func(places ...uint64) (*runner, *starvation) {
		r := placed(shm.Claims{StarvationFree: true}, places...)
		var active []int
		for id := range places {
			active = append(active, id)
		}
		return r, newStarvation(r, active)
	}
	look := func(r *runner, s *starvation, times int, each uint64) bool {
		for range times {
			r.procs[1].at.Store(r.procs[1].at.Load() + each*sections)
			if s.judge() {
				return true
			}
		}
		return false
	}
	found := func(r *runner) bool { return r.tally.forbidden() == starved }
	gone := func(s *starvation, d time.Duration) {
		for i := range s.when {
			s.when[i] = time.Now().Add(-d)
		}
	}

	t.Run("nobody is hungry", func(t *testing.T) {
		r, s := begin(at(0, entry), at(0, entry))
		require.False(t, s.judge())
		r.procs[0].at.Store(at(fed, remainder))
		r.procs[1].at.Store(at(fed-1, remainder))
		require.False(t, s.judge())
		r.procs[1].at.Store(at(fed, remainder))
		require.True(t, s.judge())
		require.False(t, found(r))
	})
	t.Run("often and for long", func(t *testing.T) {
		r, s := begin(at(0, entry), at(0, remainder))
		s.at[0] = at(0, remainder) // it came to its entry section since
		require.False(t, look(r, s, 1, 1))
		gone(s, -time.Hour) // a busy machine can be slow
		require.False(t, look(r, s, starvedLooks+5, starvedEnters), "for no time")
		gone(s, 2*starvedTime)
		require.True(t, look(r, s, 1, 1))
		require.True(t, found(r))
	})
	t.Run("often and for no time, from the beginning of the phase", func(t *testing.T) {
		r, s := begin(at(0, entry), at(0, remainder))
		gone(s, -time.Hour)
		require.False(t, look(r, s, starvedLooks+5, starvedEnters))
		require.False(t, found(r))
	})
	t.Run("two wait", func(t *testing.T) {
		r, s := begin(at(0, entry), at(0, remainder), at(0, entry))
		gone(s, 2*starvedTime)
		require.True(t, look(r, s, starvedLooks+5, starvedEnters))
		require.True(t, found(r))
	})
	t.Run("asleep for a time", func(t *testing.T) {
		r, s := begin(at(0, entry), at(0, remainder))
		sleeper := make(chan int)
		go func() {
			sleeper <- goroutine.ID()
			time.Sleep(time.Hour)
		}()
		id := <-sleeper
		for !goroutine.Dump()[id].Delayed() {
			time.Sleep(time.Millisecond)
		}
		r.procs[0].goroutine.Store(int64(id))
		require.False(t, look(r, s, 2*starvedLooks, starvedEnters))
		require.Less(t, time.Since(s.when[0]), time.Minute, "its wait begins anew at each look")
		require.False(t, found(r))
	})
	for name, c := range map[string]struct {
		looks int
		each  uint64
		place uint64
	}{
		"at too few looks":             {starvedLooks - 5, starvedEnters, at(0, entry)},
		"too seldom":                   {starvedLooks + 5, starvedEnters / 100, at(0, entry)},
		"nobody enters":                {starvedLooks + 5, 0, at(0, entry)},
		"not in its entry section":     {starvedLooks + 5, starvedEnters, at(0, exit)},
		"in its critical section long": {starvedLooks + 5, starvedEnters, at(0, critical)},
	} {
		t.Run(name, func(t *testing.T) {
			r, s := begin(c.place, at(0, remainder))
			gone(s, 2*starvedTime)
			require.False(t, look(r, s, c.looks, c.each))
			require.False(t, found(r))
		})
	}
}

// hook is a lock for one process that does something in its exit section.
type hook func()

func (hook) Lock(int)     {}
func (h hook) Unlock(int) { h() }

// Passages that the critical section does not remember are noticed, and no
// others are. On a busy machine a phase may end before all its passages are made.
func TestCountsOfAStride(t *testing.T) {
	for _, lost := range []uint64{0, 1} {
		deadline.Try(t, 0.5, func() bool {
			var r *runner
			a := shm.Algorithm{Name: "hook", MinProcs: 1, MaxProcs: 1, New: func(int) (shm.Mutex, error) {
				return hook(func() { r.procs[0].made += lost }), nil
			}}
			o := Options{Procs: []int{1}}
			require.NoError(t, o.Complete(a))
			r = newRunner(a, o, 1)
			go r.act(r.procs[0])
			require.NoError(t, r.stride(t.Context(), stride{n: 1, phases: []phase{{active: []int{0}, passages: 10}, {active: []int{0}, passages: 5}}}))
			close(r.procs[0].orders)
			want := ""
			if lost > 0 && r.made > 0 {
				want = countsLost
			}
			require.Equal(t, want, r.tally.forbidden())
			require.LessOrEqual(t, r.made, 15*(1+lost))
			return r.made == 15*(1+lost)
		})
	}
}

func TestCountsOfAReport(t *testing.T) {
	r := Report{Outcomes: new(tally).outcomes(7, 0, 0, 0)}
	require.Equal(t, uint64(7), r.Passages())
	require.Zero(t, r.Count(Acceptable), "passages are no outcome")
	r.Outcomes[1].Count = 3
	require.Zero(t, r.Count(Acceptable), "nor are those of readers")
	r.Outcomes[4].Count = 2
	require.Equal(t, uint64(2), r.Count(Acceptable))
}

// TestOtherPhasesAreNotJudged: a phase that is not unfair goes on when every process has had its
// turn. Only an unfair phase has nothing more to show then. On a busy machine a phase may take all
// its time, which says nothing: in none of 200 tries at load 9 beside two busy loops.
func TestOtherPhasesAreNotJudged(t *testing.T) {
	deadline.Try(t, 0.5, func() bool {
		r := placed(shm.Claims{StarvationFree: true}, at(0, remainder), at(0, remainder))
		r.o.Deadline = time.Minute
		for _, p := range r.procs {
			p.rests = make(chan struct{}, 1)
		}
		go func() {
			for range 20 {
				for _, p := range r.procs {
					p.at.Add(sections) // a passage
				}
				time.Sleep(time.Millisecond)
			}
			for _, p := range r.procs {
				p.rests <- struct{}{}
			}
		}()
		r.watch(t.Context(), phase{world: onThreads, active: []int{0, 1}, passages: longPassages})
		return !r.enough.Load()
	})
}
