package stress

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/isolate"
	"shmbench/internal/run/supervise"
	"shmbench/internal/testkit/deadline"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/region/regiontest"
	"shmbench/shm/spin"
)

// mutex is a lock for any number of processes.
type mutex struct{ sync.Mutex }

func (m *mutex) Lock(int)   { m.Mutex.Lock() }
func (m *mutex) Unlock(int) { m.Mutex.Unlock() }

// children are goroutines that carry out the phases of a stride as processes of the operating
// system do. Each has a runner of its own, and all share what a region would have.
func children(lock shm.Mutex, s stride) (supervisor *runner, end func() []told) {
	sh := newShared(lock)
	sh.orders = &orders{stride: s, public: make([]public, s.n)}
	of := func() *runner {
		r := &runner{n: s.n, shared: sh, apart: true, idle: runtime.Gosched, modes: []shm.Mode{shm.Exclusive}}
		for id := range s.n {
			r.procs = append(r.procs, &process{id: id, public: &sh.orders.public[id]})
		}
		return r
	}
	all := make([]told, s.n)
	var living sync.WaitGroup
	for id := range s.n {
		r := of()
		living.Go(func() {
			r.live(r.procs[id])
			all[id] = r.tell(r.procs[id])
		})
	}
	supervisor = of()
	supervisor.o.Deadline = time.Hour
	return supervisor, func() []told {
		sh.orders.phase.Store(over)
		living.Wait()
		return all
	}
}

// TestChildrenCarryOutPhases: each child makes its passages of the phases in which it takes
// part, and ends when the phases are over. On a busy machine a phase may end before all passages
// are made, and the stride is repeated.
func TestChildrenCarryOutPhases(t *testing.T) {
	defer spin.Use(spin.InUse())
	phases := []phase{
		{active: []int{0, 2}, passages: 30, policy: spin.OSYield},
		{active: []int{2, 1, 0}, passages: 40, policy: spin.OSYield},
		{active: []int{1}, passages: 5, policy: spin.OSYield},
	}
	want := []uint64{70, 45, 70}
	deadline.Try(t, 0.25, func() bool {
		r, end := children(new(mutex), stride{n: 3, seed: 1, phases: phases})
		for i, ph := range phases {
			r.enough.Store(true) // as the phase before has left it
			r.phaseApart(t.Context(), ph, int64(i)+1)
			require.EqualValues(t, len(ph.active), r.orders.rests.Load())
			require.False(t, r.stuck)
			for _, id := range ph.active {
				require.True(t, r.procs[id].resting.Load())
				require.Equal(t, remainder, int(r.procs[id].at.Load()%sections))
			}
		}
		var made []uint64
		for id, answer := range end() {
			made = append(made, answer.Made)
			require.Equal(t, answer.Made, entered(r.procs[id].at.Load()))
			require.Zero(t, answer.Failed+answer.Looked)
		}
		require.NoError(t, r.section.Total(made[0]+made[1]+made[2]))
		return slices.Equal(made, want)
	})
}

// TestAPhaseIsStopped: when the run is canceled, the children end a phase that has no number of
// passages.
func TestAPhaseIsStopped(t *testing.T) {
	defer spin.Use(spin.InUse())
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	ph := phase{active: []int{0, 1}, policy: spin.OSYield}
	r, end := children(new(mutex), stride{n: 2, phases: []phase{ph}})
	r.phaseApart(canceled, ph, 1)
	require.True(t, r.stop.Load())
	require.False(t, r.stuck)
	require.EqualValues(t, 2, r.orders.rests.Load())
	end()
}

// TestAPhaseWithoutAChild: the phase ends if a child has crashed before.
func TestAPhaseWithoutAChild(t *testing.T) {
	ph := phase{active: []int{0}, passages: 1}
	r, end := children(new(mutex), stride{n: 0})
	r.procs = []*process{{public: new(public)}}
	r.crashed.Store(true)
	r.phaseApart(t.Context(), ph, 1)
	require.True(t, r.stuck)
	require.True(t, r.stop.Load())
	end()
}

// TestSuited: processes of the operating system have no unfair phase, run on threads, and yield
// to the system unless they have a processor each and were to poll.
func TestSuited(t *testing.T) {
	few, many := []int{0, 1}, []int{0, 1, 2}
	for _, c := range []struct {
		active     []int
		from, want spin.Policy
	}{
		{few, spin.Paused, spin.Paused}, {few, spin.Busy, spin.Busy}, {few, spin.PauseYield, spin.OSYield}, {few, spin.Turns, spin.OSYield},
		{many, spin.Paused, spin.OSYield}, {many, spin.Busy, spin.OSYield}, {many, spin.Yielding, spin.OSYield},
	} {
		for _, w := range []world{onProcessors, onThreads, interrupted} {
			got := suited([]phase{{world: unfair, active: few}, {world: w, active: c.active, policy: c.from, passages: 7}}, 2)
			require.Equal(t, []phase{{world: onThreads, active: c.active, policy: c.want, passages: 7}}, got)
		}
	}
	require.True(t, phase{active: few}.takes(1))
	require.False(t, phase{active: few}.takes(2))
}

// TestTheAccountOfAChild: the answer of a child is its account. A child that ends with an error
// and was not killed has crashed.
func TestTheAccountOfAChild(t *testing.T) {
	answer := &told{Made: 7, Looked: 3, Failed: 2, Counts: map[string]uint64{slow: 4, givenUp: 0}, Firsts: map[string]string{slow: "long"}}
	for name, c := range map[string]struct {
		end     supervise.End[told]
		made    uint64
		crashed bool
	}{
		"answers":                 {supervise.End[told]{Number: 1, Answer: answer}, 7, false},
		"killed":                  {supervise.End[told]{Number: 1, Err: errors.New("signal"), Killed: true}, 0, false},
		"killed after it answers": {supervise.End[told]{Number: 1, Answer: answer, Err: errors.New("signal"), Killed: true}, 7, false},
		"crashes":                 {supervise.End[told]{Number: 1, Err: errors.New("signal")}, 0, true},
	} {
		r := placed(shm.Claims{}, 0, 0)
		r.died(nil, c.end)
		require.Equal(t, c.crashed, r.crashed.Load(), name)
		require.Equal(t, account{made: c.made, looked: 3 * c.made / 7, failed: 2 * c.made / 7}, r.procs[1].account, name)
		require.Equal(t, account{}, r.procs[0].account, name)
		want := ""
		if c.crashed {
			want = panicked
			require.Equal(t, "process 1 ended: signal", r.tally.firsts[panicked])
		}
		require.Equal(t, want, r.tally.forbidden(), name)
		if c.made > 0 {
			require.Equal(t, map[string]uint64{slow: 4}, r.tally.counts, name)
			require.Equal(t, "long", r.tally.firsts[slow])
		}
	}
}

// TestAChildThatIsKilledFromOutside: a kill that the test did not ask for is an error, and nothing that the lock did.
func TestAChildThatIsKilledFromOutside(t *testing.T) {
	regiontest.Need(t)
	for signal, outside := range map[string]bool{"KILL": true, "ABRT": false} {
		r := placed(shm.Claims{}, 0, 0)
		r.died(nil, supervise.End[told]{Number: 1, Err: &isolate.Crash{Err: exec.Command("sh", "-c", "kill -"+signal+" $$").Run()}})
		require.True(t, r.crashed.Load())
		if outside {
			require.Empty(t, r.tally.forbidden())
			require.Equal(t, errKilled, r.whole())
			r.tally.note(panicked, "before")
		}
		require.Equal(t, panicked, r.tally.forbidden())
		require.NoError(t, r.whole(), "the lock was found wrong")
	}
}

// TestDetach: after a stride the places of its processes are known without the region.
func TestDetach(t *testing.T) {
	r := placed(shm.Claims{}, at(3, entry), at(4, exit), at(5, remainder))
	before := []*public{r.procs[0].public, r.procs[1].public, r.procs[2].public}
	sh := r.shared
	r.detach(2)
	require.NotSame(t, sh, r.shared)
	for id, place := range []uint64{at(3, entry), at(4, exit), at(5, remainder)} {
		require.Equal(t, place, r.procs[id].at.Load())
		require.Equal(t, id == 2, before[id] == r.procs[id].public)
	}
}

// TestMarkItself: a process leaves itself a mark in its entry section, once, and knows whether
// it waits.
func TestMarkItself(t *testing.T) {
	for name, c := range map[string]struct {
		place uint64
		marks bool
	}{"entry": {at(3, entry), true}, "remainder": {at(3, remainder), false}, "critical": {at(3, critical), false}, "exit": {at(3, exit), false}} {
		r := placed(shm.Claims{FCFS: true}, c.place, at(8, entry))
		p := r.procs[0]
		r.markItself(p)
		m := p.mark.Load()
		require.Equal(t, c.marks, m != nil, name)
		require.Nil(t, r.procs[1].mark.Load())
		if !c.marks {
			continue
		}
		require.Equal(t, c.place, m.at)
		require.Equal(t, []uint64{c.place, at(8, entry)}, m.others)
		require.False(t, <-m.decided, "this goroutine runs")
		r.markItself(p)
		require.Same(t, m, p.mark.Load())
	}
}

// TestLookForReaders: several readers are inside if two or more processes are in critical
// sections of modes that read.
func TestLookForReaders(t *testing.T) {
	for name, c := range map[string]struct {
		places []uint64
		modes  []shm.Mode
		active []int
		seen   uint64
	}{
		"two readers":           {[]uint64{at(1, critical), at(2, critical)}, []shm.Mode{shm.Shared, shm.Shared}, []int{0, 1}, 1},
		"three readers":         {[]uint64{at(1, critical), at(2, critical), at(3, critical)}, []shm.Mode{shm.Shared, shm.Shared, shm.Shared}, []int{0, 1, 2}, 1},
		"one reader":            {[]uint64{at(1, critical), at(2, entry)}, []shm.Mode{shm.Shared, shm.Shared}, []int{0, 1}, 0},
		"a reader and a writer": {[]uint64{at(1, critical), at(2, critical)}, []shm.Mode{shm.Shared, shm.Exclusive}, []int{0, 1}, 0},
		"one takes part":        {[]uint64{at(1, critical), at(2, critical)}, []shm.Mode{shm.Shared, shm.Shared}, []int{0}, 0},
		"nobody":                {[]uint64{at(1, exit), at(2, remainder)}, []shm.Mode{shm.Shared, shm.Shared}, []int{0, 1}, 0},
	} {
		r := placed(shm.Claims{}, c.places...)
		r.mixed = true
		for i, mode := range c.modes {
			r.procs[i].mode.Store(uint32(mode))
		}
		r.markWaiting(c.active)
		require.Equal(t, c.seen, r.tally.counts[together], name)
		require.Empty(t, r.tally.forbidden())
		for _, p := range r.procs {
			require.Nil(t, p.mark.Load(), name)
		}
	}
}

// TestCrashed: the report of a program that ended has the fault as an outcome, and keeps the
// first forbidden outcome.
func TestCrashed(t *testing.T) {
	a := shm.Algorithm{Name: "a/b"}
	o := Options{Procs: []int{2, 4}, Seed: 9}
	r := Crashed(a, o, nil, "data race", "where")
	require.Equal(t, "a/b", r.Algorithm)
	require.Equal(t, []int{2, 4}, r.Procs)
	require.EqualValues(t, 9, r.Seed)
	require.Len(t, r.Outcomes, len(kinds)+1)
	require.Equal(t, Outcome{Name: "data race", Grade: Forbidden, Count: 1, First: "where"}, r.Outcomes[len(kinds)])
	require.Equal(t, &Found{Oracle: "data race"}, r.Found)

	so := &Report{Strides: 3, Seconds: 1.5, Outcomes: new(tally).outcomes(7, 0, 0, 0)}
	r = Crashed(a, o, so, "data race", "where")
	require.Same(t, so, r)
	require.Equal(t, &Found{Oracle: "data race", Seconds: 1.5, Stride: 3, Passages: 7}, r.Found)
	r = Crashed(a, o, so, "panic", "there")
	require.Equal(t, "data race", r.Found.Oracle)
	require.Len(t, r.Outcomes, len(kinds)+2)
}

// TestGrades: a grade is read from the name that it is written with.
func TestGrades(t *testing.T) {
	for _, g := range []Grade{Acceptable, Interesting, Forbidden} {
		name, err := g.MarshalText()
		require.NoError(t, err)
		var got Grade
		require.NoError(t, got.UnmarshalText(name))
		require.Equal(t, g, got)
	}
	require.EqualError(t, new(Grade).UnmarshalText([]byte("fine")), `there is no grade "fine"`)
	require.Panics(t, func() { gradeOf("fine") })
}

// TestAStrideBetweenProcesses: a stride makes the passages of its phases, and leaves nothing in
// the region, which has ended. On a busy machine a phase ends before all passages are made, and the
// stride is repeated if it has none.
func TestAStrideBetweenProcesses(t *testing.T) {
	regiontest.Need(t)
	defer spin.Use(spin.InUse())
	a := queue.MCS(shm.Padded, shm.Sequential)
	o := Options{Procs: []int{2}, Processes: true}
	require.NoError(t, o.Complete(a))
	phases := []phase{{active: []int{0, 1}, passages: 20}, {active: []int{1}, passages: 5}}
	deadline.Try(t, 0.25, func() bool {
		r := newRunner(a, o, 2)
		require.NoError(t, r.strideApart(t.Context(), stride{n: 2, phases: phases}))
		require.Equal(t, 1, r.strides)
		require.Equal(t, 2, r.phases)
		require.Empty(t, r.tally.forbidden())
		require.Nil(t, r.lock)
		require.Nil(t, r.orders)
		first, second := entered(r.procs[0].at.Load()), entered(r.procs[1].at.Load())
		require.LessOrEqual(t, first, uint64(20))
		require.LessOrEqual(t, second, uint64(25))
		require.Equal(t, r.made, first+second)
		return r.made > 0
	})
}
