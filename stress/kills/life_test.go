package kills

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/isolate"
	"shmbench/internal/run/supervise"
	"shmbench/shm"
)

// TestAim: a process kills itself before one access of the chosen section, from the chosen passage on.
func TestAim(t *testing.T) {
	l := &life{death: death{Section: Entry, Passage: 2}, random: rand.New(rand.NewPCG(1, 1))}
	l.seen[Entry] = 3
	aimed := map[int]int{}
	for range 100 {
		l.aim()
		aimed[l.at]++
	}
	require.Equal(t, map[int]int{0: 100}, aimed, "the passage is too early")
	clear(aimed)
	for l.passage = 2; l.passage <= 2+missed; l.passage++ {
		for range 100 {
			l.aim()
			aimed[l.at]++
			require.Equal(t, Entry, l.Section)
		}
	}
	require.Len(t, aimed, 3)
	require.Greater(t, min(aimed[1], aimed[2], aimed[3]), 200)

	for _, c := range []struct {
		section, accesses int
		is                bool
	}{{Entry, 2, true}, {Entry, 1, false}, {Entry, 3, false}, {Exit, 2, false}} {
		l.section, l.accesses, l.at = c.section, c.accesses, 2
		require.Equal(t, c.is, l.isAimedAt(), "%+v", c)
	}
	l.aim()
	require.Equal(t, Critical, l.Section, "its death did not come")
}

// scripted is a lock whose Recover has one outcome. It notes the calls, and the section of
// process 1 at each.
type scripted struct {
	outcome shm.Outcome
	of      *shared
	calls   []string
}

func (l *scripted) note(call string) {
	l.calls = append(l.calls, call+" in "+SectionNames[l.of.process[1].section.Load()])
}

func (l *scripted) Recover(int) shm.Outcome { l.note("recover"); return l.outcome }
func (l *scripted) Lock(int)                { l.note("lock") }
func (l *scripted) Unlock(int)              { l.note("unlock") }

// lifeOf returns a life of process 1 of 3, which does not kill itself.
func lifeOf(lock shm.Mutex, number int) *life {
	s := &shared{lock: lock, process: make([]process, 3)}
	return &life{shared: s, pid: 1, number: number, me: holding(1, number), random: rand.New(rand.NewPCG(1, 1))}
}

// TestAPassage: a passage has the sections and calls that the outcome of Recover asks for.
func TestAPassage(t *testing.T) {
	for outcome, want := range map[shm.Outcome][]string{
		shm.Enter:    {"recover in recovery", "lock in entry", "unlock in exit"},
		shm.Inside:   {"recover in recovery", "unlock in exit"},
		shm.Finished: {"recover in recovery"},
	} {
		lock := &scripted{outcome: outcome}
		l := lifeOf(lock, 0)
		lock.of = l.shared
		l.make()
		require.Equal(t, want, lock.calls)
		inside := uint64(1)
		if outcome == shm.Finished {
			inside = 0
		}
		require.Equal(t, inside, l.entered())
		require.Equal(t, inside, l.begun)
		require.Equal(t, inside, l.ended)
		require.Zero(t, l.found.Load())
		require.Zero(t, l.holder.Load())
		if inside == 1 {
			require.Equal(t, 5, l.seen[Critical], "the places of the critical section")
		}
	}
	lock := new(scripted)
	l := lifeOf(struct{ shm.Mutex }{lock}, 0)
	lock.of = l.shared
	l.make()
	require.Equal(t, []string{"lock in entry", "unlock in exit"}, lock.calls, "a lock that does not recover")
}

// TestTheLastPassages: a life makes its last passages when the test is ending, and none after
// something was found.
func TestTheLastPassages(t *testing.T) {
	lock := new(scripted)
	l := lifeOf(lock, 4)
	lock.of = l.shared
	l.ending.Store(true)
	require.Equal(t, lastPassages, l.live())
	require.EqualValues(t, 5, l.process[1].lives.Load())
	require.EqualValues(t, lastPassages, l.entered())
	require.EqualValues(t, Remainder, l.process[1].section.Load())

	l = lifeOf(lock, 0)
	l.found.Store(1)
	require.Zero(t, l.live())
}

// TestInside: a process that enters is told by the mark of another one that the lock is
// broken. Its own mark is of a life in which it was killed.
func TestInside(t *testing.T) {
	for name, c := range map[string]struct {
		holder       uint64
		begun, ended uint64
		met          bool
		by           uint64
	}{
		"empty":                            {0, 7, 7, false, 0},
		"killed before it began":           {holding(1, 2), 7, 7, false, 0},
		"killed between begin and end":     {holding(1, 2), 8, 7, false, 0},
		"another one is inside":            {holding(2, 0), 8, 7, true, holding(2, 0)},
		"another one, which has not begun": {holding(0, 3), 7, 7, true, holding(0, 3)},
		"counters of another one":          {0, 8, 7, true, 0},
	} {
		l := lifeOf(nil, 3)
		l.holder.Store(c.holder)
		l.begun, l.ended = c.begun, c.ended
		l.inside()
		require.EqualValues(t, 1, l.entered(), name)
		if !c.met {
			require.Zero(t, l.found.Load(), name)
			require.Zero(t, l.holder.Load(), name)
			require.Equal(t, l.begun, l.ended, name)
			require.Equal(t, c.begun+1, l.begun, name)
			require.Equal(t, 5, l.accesses, name)
			continue
		}
		require.EqualValues(t, 2, l.found.Load(), name)
		require.Equal(t, 1, l.by, name)
		require.Equal(t, c.by, l.met, name)
	}
}

// TestMove: a process knows how many accesses it made in each section, and others know where
// it is.
func TestMove(t *testing.T) {
	l := lifeOf(nil, 0)
	for section, accesses := range []int{1, 2, 3, 4, 5} {
		l.move(section)
		require.Zero(t, l.accesses)
		require.EqualValues(t, section, l.process[1].section.Load())
		for range accesses {
			l.access()
		}
	}
	l.move(Remainder)
	require.Equal(t, [Sections]int{1, 2, 3, 4, 5}, l.seen)
	require.Equal(t, 20_000, l.longest())
	l.Section = Entry
	require.Equal(t, 200, l.longest())
}

// TestAimBeforeAnythingIsKnown: the first aim is at one of a few accesses, and a process that
// does not kill itself has none.
func TestAimBeforeAnythingIsKnown(t *testing.T) {
	l := lifeOf(nil, 0)
	l.aim()
	require.Zero(t, l.at)
	l.Section = Exit
	aimed := map[int]bool{}
	for range 100 {
		l.aim()
		aimed[l.at] = true
	}
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true, 4: true}, aimed)
	l.ending.Store(true)
	l.section = Exit
	for range firstGuess {
		l.access() // at the end no process kills itself
	}
	require.Zero(t, l.process[1].killed.Load())
}

func TestHolding(t *testing.T) {
	for _, c := range []struct {
		pid, life int
		holder    uint64
	}{{0, 0, 1}, {2, 0, 3}, {0, 1, 1<<16 + 1}, {1023, 70_000, 70_000<<16 + 1024}} {
		require.Equal(t, c.holder, holding(c.pid, c.life))
		pid, life := of(c.holder)
		require.Equal(t, c.pid, pid)
		require.Equal(t, c.life, life)
	}
}

// TestBroken: the life of the met process and whether it was killed decide what was found. The
// first finding counts.
func TestBroken(t *testing.T) {
	for name, c := range map[string]struct {
		met    uint64
		killed uint64 // the life of process 2
		want   Found
	}{
		"inside":         {holding(2, 1), 0, Found{"mutual exclusion", "process 1 entered while process 2 was in its critical section"}},
		"killed earlier": {holding(2, 1), 1, Found{"mutual exclusion", "process 1 entered while process 2 was in its critical section"}},
		"killed there":   {holding(2, 1), 2, Found{"re-entry", "process 1 entered after process 2 was killed in its critical section and before that process had entered again"}},
		"killed later":   {holding(2, 1), 3, Found{"re-entry", "process 1 entered after process 2 was killed in its critical section and before that process had entered again"}},
		"counters":       {0, 3, Found{"mutual exclusion", "process 1 found the counters of another critical section"}},
	} {
		s := &shared{process: make([]process, 3)}
		require.Nil(t, s.broken())
		s.process[2].killed.Store(c.killed)
		s.meets(1, c.met)
		s.meets(0, holding(0, 9))
		require.Equal(t, &c.want, s.broken(), name)
	}
	s := new(shared)
	s.found.Store(1)
	require.Nil(t, s.broken(), "the process was killed before it said what it found")
}

// TestTheKillsOfARound: a new supervisor counts the processes of the round before by the
// sections where they were killed, and the first supervisor counts none.
func TestTheKillsOfARound(t *testing.T) {
	s := &shared{process: make([]process, 3)}
	for i, section := range []uint32{Entry, Critical, Entry} {
		s.process[i].section.Store(section)
		s.process[i].entered.Store(10)
		s.process[i].lives.Store(uint64(5 + i))
	}
	require.Equal(t, "process 0: entry, process 1: critical, process 2: entry", s.places())
	require.EqualValues(t, 30, s.entered())
	require.Equal(t, [Sections]int{}, s.takeKills(0))
	require.Zero(t, s.process[0].killed.Load())
	require.Equal(t, [Sections]int{Entry: 2, Critical: 1}, s.takeKills(4))
	require.EqualValues(t, 4, s.process[2].killed.Load())
	require.Equal(t, "process 0: remainder, process 1: remainder, process 2: remainder", s.places())
	require.True(t, s.allLive(4))
	require.False(t, s.allLive(5), "process 0 has begun life 4 only")
	require.False(t, s.allLive(7))
}

// TestPlan: deaths come in each section but the remainder in turn, and in Recover in the first
// passage.
func TestPlan(t *testing.T) {
	v := &supervision{random: rand.New(rand.NewPCG(1, 1))}
	sections, latest := [Sections]int{}, 0
	for range 400 {
		d := v.plan()
		sections[d.Section]++
		require.Less(t, d.Passage, firstPassages)
		require.NotZero(t, d.Seed)
		if d.Section == Recovery {
			require.Zero(t, d.Passage)
		}
		latest = max(latest, d.Passage)
	}
	require.Equal(t, [Sections]int{0, 100, 100, 100, 100}, sections)
	require.Equal(t, firstPassages-1, latest)
}

// TestAChildThatEnds: an end without an error, or after something was found, changes nothing. A
// child that no signal has ended has crashed. The first finding counts.
func TestAChildThatEnds(t *testing.T) {
	v := &supervision{shared: &shared{process: make([]process, 2)}, report: new(Report), trial: Trial{Kills: 1}, random: rand.New(rand.NewPCG(1, 1))}
	v.died(nil, supervise.End[int]{})
	v.died(nil, supervise.End[int]{Err: context.Canceled})
	require.False(t, v.failed())
	v.died(nil, supervise.End[int]{Err: errors.New("exit status 2")})
	require.True(t, v.failed())
	v.find("hung", "late")
	v.died(nil, supervise.End[int]{Err: errors.New("late")})
	require.Equal(t, &Found{"crashed", "exit status 2"}, v.report.Found)
	require.Equal(t, "crashed: exit status 2", v.report.Found.String())
	require.Zero(t, v.report.Total())
	require.Zero(t, v.deaths, "none is planned")
}

// TestWasKilled: only a signal ends a child as a kill does.
func TestWasKilled(t *testing.T) {
	require.False(t, wasKilled(errors.New("no child")))
	require.False(t, wasKilled(nil))
	exited := exec.Command("sh", "-c", "exit 3").Run()
	killed := exec.Command("sh", "-c", "kill -9 $$").Run()
	if !errors.As(exited, new(*exec.ExitError)) || !errors.As(killed, new(*exec.ExitError)) {
		t.Skip("no shell here")
	}
	require.False(t, wasKilled(killed), "it is no child of package isolate")
	require.False(t, wasKilled(&isolate.Crash{Err: exited}))
	require.True(t, wasKilled(&isolate.Crash{Err: killed}))
}

// TestWhoHangs: a process hangs in its recovery, entry or exit section, and not in another
// section or when it does not run.
func TestWhoHangs(t *testing.T) {
	for section, hangs := range [Sections]bool{Remainder: false, Recovery: true, Entry: true, Critical: false, Exit: true} {
		for _, runs := range []bool{true, false} {
			s := &shared{process: make([]process, 1)}
			s.process[0].section.Store(uint32(section))
			dog := s.watchdog(time.Hour, func(int) bool { return runs })
			for range 1000 {
				dog.Tick()
			}
			require.Equal(t, hangs && runs, dog.Hung(), "%s, runs: %v", SectionNames[section], runs)
			s.process[0].entered.Add(1)
			dog.Tick()
			require.False(t, dog.Hung())
		}
	}
}

// TestWatchReports: the report has what the processes found, and their critical sections.
func TestWatchReports(t *testing.T) {
	for _, found := range []bool{false, true} {
		v := &supervision{shared: &shared{process: make([]process, 2)}, report: new(Report), trial: Trial{Procs: 2, Deadline: time.Hour}, random: rand.New(rand.NewPCG(1, 1))}
		crew := supervise.New[death](t.Context(), nil, processes, 2, v.died) // without children
		v.process[0].entered.Store(3)
		v.process[1].entered.Store(4)
		want := (*Found)(nil)
		if found {
			v.meets(1, holding(0, 0))
			want = &Found{"mutual exclusion", "process 1 entered while process 0 was in its critical section"}
		}
		require.NoError(t, v.watch(t.Context(), crew))
		require.Equal(t, &Report{Passages: 7, Found: want}, v.report)
		crew.Stop()
	}
}

// TestAwaitDeath: a supervisor kills itself when all processes live. It does not when something
// was found, or when ctx ends, also before all processes live.
func TestAwaitDeath(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx         context.Context
		number      int
		found, dies bool
	}{
		"all live":             {t.Context(), 0, false, true},
		"something was found":  {t.Context(), 0, true, false},
		"the test is canceled": {canceled, 0, false, false},
		"before all live":      {canceled, 1, false, false},
	} {
		s := &shared{process: make([]process, 1)}
		s.process[0].lives.Store(1)
		require.Equal(t, c.dies, round{Number: c.number}.awaitDeath(c.ctx, s, func() bool { return c.found }), name)
	}
}
