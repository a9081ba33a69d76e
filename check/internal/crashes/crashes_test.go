package crashes

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// line is one local state of a process: its section as a letter, and its atomic access to the only
// register. The letters are r, v for recovery, e, d for an entry section past the doorway, c, and
// x for exit. A process with no moves stops there.
type line struct {
	at    byte
	moves []automaton.Move // by the value that the access finds
	first bool             // the process begins here, and not at line 0
}

// to is an access that leads to a line and leaves each value as it is.
func to(line int32, values int) (moves []automaton.Move) {
	for v := range values {
		moves = append(moves, automaton.Move{State: line, Value: int32(v)})
	}
	return moves
}

// sets is an access that leads to a line and stores a value.
func sets(line, value int32, values int) (moves []automaton.Move) {
	for range values {
		moves = append(moves, automaton.Move{State: line, Value: value})
	}
	return moves
}

// space explores the processes with crashes.
func space(t *testing.T, crashes explore.Crashes, values int, procs ...[]line) *Space {
	register := automaton.Reg{}
	for v := range values {
		register.Values = append(register.Values, interp.Num(v))
	}
	m := &automaton.Model{N: len(procs), Regs: []automaton.Reg{register}}
	for _, lines := range procs {
		p := &automaton.Proc{}
		for i, l := range lines {
			if l.first {
				p.Init = int32(i)
			}
			local := automaton.Local{Section: map[byte]interp.Section{'r': interp.Remainder, 'v': interp.Recovery, 'e': interp.Entry, 'd': interp.Entry, 'c': interp.Critical, 'x': interp.Exit}[l.at],
				Kind: automaton.Reads | automaton.Writes, Moves: l.moves}
			if l.at == 'd' {
				local.Mark = 1
			}
			if l.moves == nil {
				local.Reg = -1
			}
			p.Local = append(p.Local, local)
		}
		m.Procs = append(m.Procs, p)
	}
	sys := explore.NewCrashing(explore.NewSC(m), crashes)
	g := explore.Run(t.Context(), sys, explore.Options{Keep: true})
	require.True(t, g.Exhausted)
	return New(g, sys)
}

// follow makes the steps of a lasso, and returns the states around its cycle, the first of them
// again at the end.
func follow(t *testing.T, s *Space, l *Lasso) []uint32 {
	require.NotNil(t, l)
	at := uint32(0)
	for _, actor := range l.Prefix {
		at = s.G.Next(at, actor)
		require.NotEqual(t, explore.None, at)
	}
	around := []uint32{at}
	for _, actor := range l.Cycle {
		at = s.G.Next(at, actor)
		require.NotEqual(t, explore.None, at)
		around = append(around, at)
	}
	require.Equal(t, around[0], at, "the cycle is closed")
	return around
}

// owners are two processes with a lock that says who holds it: 0 is no process, and pid+1 is a process.
// After a crash, a process that holds the lock enters again.
func owners() (procs [][]line) {
	for pid := range int32(2) {
		mine := pid + 1
		recover, take := to(2, 3), to(2, 3)
		recover[mine].State = 3
		take[0] = automaton.Move{State: 3, Value: mine}
		procs = append(procs, []line{
			0: {at: 'r', moves: to(1, 3)},
			1: {at: 'v', moves: recover},
			2: {at: 'd', moves: take},
			3: {at: 'c', moves: to(4, 3)},
			4: {at: 'x', moves: sets(0, 0, 3)},
		})
	}
	return procs
}

// TestRecoverableLock: a lock with an owner is free of deadlock under crashes, and its recovery,
// reentry and exit are bounded. A process can starve and be overtaken.
func TestRecoverableLock(t *testing.T) {
	s := space(t, explore.Crashes{}, 3, owners()...)
	require.Nil(t, s.Deadlock())
	for pid := range 2 {
		require.Nil(t, s.StaysInExit(pid))
		for _, l := range []*Lasso{s.Starves(pid), s.StarvesAmongCrashes(pid)} {
			around := follow(t, s, l)
			for _, id := range around {
				require.True(t, s.trying(id, pid))
			}
			require.Contains(t, l.Cycle, pid)
			require.Contains(t, l.Cycle, 1-pid)
		}
		for _, actor := range s.Starves(pid).Cycle {
			require.Less(t, actor, 2, "no crash")
		}
	}
	require.Equal(t, Bound{Steps: 2}, s.Reentry(), "recovery's first access, and its last")
	require.Equal(t, Bound{Steps: 2}, s.Recovery(), "the access that begins it, and its own")
	require.Equal(t, Bound{Steps: 2}, s.Exit(), "the access that begins it, and its own")

	cost := s.Cost(1, analyse.Anywhere)
	require.Equal(t, shm.Unbounded, cost.Steps, "a process may poll without end")
	require.Equal(t, 1, cost.Pid)
	around := follow(t, s, cost.Lasso)
	require.Contains(t, cost.Lasso.Cycle, 1)
	require.NotContains(t, cost.Lasso.Cycle, 3, "a passage ends with a crash of its process")
	for _, id := range around {
		require.NotEqual(t, interp.Remainder, s.section(id, 1))
	}
	require.Equal(t, Bound{Steps: 1, Pid: 1}, s.Cost(1, func(id uint32) bool { return s.section(id, 1) == interp.Exit }))
	require.Equal(t, Bound{Steps: 2, Pid: 1}, s.Cost(1, func(id uint32) bool {
		return s.section(id, 1) == interp.Remainder || s.section(id, 1) == interp.Exit
	}), "the access that begins a passage counts")
	require.Equal(t, Bound{Steps: 0, Pid: 0}, s.Cost(0, func(uint32) bool { return false }))
	require.Equal(t, Bound{Steps: 3, Pid: 0}, s.Cost(0, func(id uint32) bool {
		return s.section(id, 0) != interp.Entry && s.section(id, 0) != interp.Recovery
	}), "the accesses of the remainder, critical and exit sections")

	for _, keeps := range []bool{false, true} {
		o := s.Overtaking(1, keeps)
		require.NotNil(t, o)
		require.True(t, s.idle(o.From, o.Second))
		require.Equal(t, interp.Entry, s.section(o.From, o.First))
		at := o.From
		for _, actor := range o.Path {
			at = s.G.Next(at, actor)
		}
		require.Equal(t, interp.Critical, s.section(at, o.Second))
		require.NotEqual(t, interp.Critical, s.section(at, o.First))
		require.Nil(t, s.Overtaking(2, keeps), "no state has the mark")
	}
}

// TestCrashOfTheHolder: a lock that stays locked after a crash of its holder is not free of deadlock.
func TestCrashOfTheHolder(t *testing.T) {
	take := to(1, 2)
	take[0] = automaton.Move{State: 2, Value: 1}
	tas := []line{{at: 'r', moves: to(1, 2)}, {at: 'e', moves: take}, {at: 'c', moves: to(3, 2)}, {at: 'x', moves: sets(0, 0, 2)}}
	for _, crashes := range []explore.Crashes{{}, {Most: 1}, {System: true}} {
		s := space(t, crashes, 2, tas, tas)
		l := s.Deadlock()
		around := follow(t, s, l)
		require.Contains(t, l.Prefix, 2, "a crash")
		for _, id := range around {
			require.True(t, s.trying(id, 0) || s.trying(id, 1))
			require.NotEqual(t, interp.Critical, s.section(id, 0))
			require.NotEqual(t, interp.Critical, s.section(id, 1))
		}
		require.Equal(t, shm.Unbounded, s.Reentry().Steps)
		reentry := s.Reentry()
		require.True(t, s.owed(follow(t, s, reentry.Lasso)[0], reentry.Pid))
		require.Equal(t, 1, s.Recovery().Steps, "there is none")
		require.Equal(t, 2, s.Exit().Steps)
	}
}

// TestStaysInExit: a process that waits in its exit section forever is found, and its exit is unbounded.
func TestStaysInExit(t *testing.T) {
	// Process 0 waits in its exit section until process 1, which need not come, has stored 1.
	waits := []automaton.Move{{State: 3, Value: 0}, {State: 0, Value: 0}}
	s := space(t, explore.Crashes{}, 2,
		[]line{{at: 'r', moves: to(1, 2)}, {at: 'e', moves: to(2, 2)}, {at: 'c', moves: to(3, 2)}, {at: 'x', moves: waits}},
		[]line{{at: 'r', moves: to(1, 2)}, {at: 'e', moves: to(2, 2)}, {at: 'c', moves: to(3, 2)}, {at: 'x', moves: sets(0, 1, 2)}})
	l := s.StaysInExit(0)
	for _, id := range follow(t, s, l) {
		require.Equal(t, interp.Exit, s.section(id, 0))
	}
	require.Contains(t, l.Cycle, 0)
	require.Nil(t, s.StaysInExit(1))
	require.Nil(t, s.Deadlock(), "no process is trying")
	exit := s.Exit()
	require.Equal(t, shm.Unbounded, exit.Steps)
	require.Equal(t, 0, exit.Pid)
	follow(t, s, exit.Lasso)
}

// TestStarvesAmongCrashes: a process starves among the crashes of another if the other completes
// passages, too.
func TestStarvesAmongCrashes(t *testing.T) {
	// Process 0 enters unless the register is 0.
	waits := to(2, 3)
	waits[0].State = 1
	waiting := []line{{at: 'r', moves: to(1, 3)}, {at: 'e', moves: waits}, {at: 'c', moves: to(3, 3)}, {at: 'x', moves: to(0, 3)}}
	// Process 1 stores 2 at the beginning of a passage, and 1 at the end. If it finds 2 at the
	// beginning it has crashed, and stores 0.
	begins := []automaton.Move{{State: 3, Value: 0}, {State: 2, Value: 2}, {State: 3, Value: 0}}
	s := space(t, explore.Crashes{}, 3, waiting, []line{
		0: {at: 'r', moves: to(1, 3)},
		1: {at: 'v', moves: begins, first: true},
		2: {at: 'c', moves: to(4, 3)},
		3: {at: 'e', moves: to(2, 3)},
		4: {at: 'x', moves: sets(0, 1, 3)},
	})
	require.Nil(t, s.Starves(0), "without crashes, the register is 0 in the first passage only")
	l := s.StarvesAmongCrashes(0)
	around := follow(t, s, l)
	crashes, completes := 0, 0
	for i, actor := range l.Cycle {
		require.True(t, s.trying(around[i], 0))
		require.NotEqual(t, 2, actor, "process 0 does not crash")
		if s.hits(around[i], actor, 1) {
			crashes++
		}
		if s.completes(around[i], actor, around[i+1], 1) {
			completes++
		}
	}
	require.Positive(t, crashes)
	require.Positive(t, completes)
	require.Contains(t, l.Cycle, 0)

	// Now process 1 waits after a crash until process 0 has entered, so it completes no passage.
	wait := []automaton.Move{{State: 5, Value: 0}, {State: 2, Value: 1}, {State: 5, Value: 2}}
	waiting[3].moves = sets(0, 1, 3)
	s = space(t, explore.Crashes{}, 3, waiting, []line{
		0: {at: 'r', moves: to(1, 3)},
		1: {at: 'v', moves: begins, first: true},
		2: {at: 'c', moves: to(4, 3)},
		3: {at: 'e', moves: sets(5, 2, 3)},
		4: {at: 'x', moves: sets(0, 1, 3)},
		5: {at: 'e', moves: wait},
	})
	require.Nil(t, s.Starves(0))
	require.Nil(t, s.StarvesAmongCrashes(0), "process 1 crashes again and again, and completes no passage")
	for _, id := range follow(t, s, s.Starves(1)) {
		require.True(t, s.trying(id, 1))
	}
}

// TestNearest: of several lassos, the one whose cycle begins the nearest is found. A process that
// stops between two passages has no passage whose cost would count.
func TestNearest(t *testing.T) {
	once := []line{{at: 'r', moves: to(1, 3)}, {at: 'r'}}
	s := space(t, explore.Crashes{}, 3, append(owners(), once)...)
	for pid := range 2 {
		for _, l := range []*Lasso{s.Starves(pid), s.StarvesAmongCrashes(pid), s.Cost(pid, analyse.Anywhere).Lasso} {
			follow(t, s, l)
			require.NotContains(t, l.Prefix, 2, "process 2 need not step")
		}
	}
	require.Equal(t, Bound{Steps: 1, Pid: 2}, s.Cost(2, analyse.Anywhere))
}

// TestOvertakingAfterACrash: a process that crashes while it waits loses its place, unless places
// are kept.
func TestOvertakingAfterACrash(t *testing.T) {
	// A process takes a ticket as the first line of its entry section, and enters in the order of
	// the tickets. The register has the queue: 0 is empty, 1 and 2 one process, 3 process 0 and then
	// process 1, 4 process 1 and then process 0. A crash gives the ticket up, at the next access.
	procs := [][]line{}
	for pid := range int32(2) {
		mine, other := pid+1, 2-pid
		first, second := 3+pid, 4-pid // mine before the other's, and behind it
		by := func(moves map[int32]automaton.Move, else_ int32) []automaton.Move {
			all := to(else_, 5)
			for v, m := range moves {
				all[v] = m
			}
			return all
		}
		procs = append(procs, []line{
			0: {at: 'r', moves: to(1, 5)},
			1: {at: 'v', moves: by(map[int32]automaton.Move{mine: {State: 2, Value: 0}, first: {State: 2, Value: other}, second: {State: 2, Value: other}}, 2)},
			2: {at: 'e', moves: by(map[int32]automaton.Move{0: {State: 3, Value: mine}, other: {State: 3, Value: second}}, 3)},
			3: {at: 'd', moves: by(map[int32]automaton.Move{mine: {State: 4, Value: mine}, first: {State: 4, Value: first}}, 3)},
			4: {at: 'c', moves: to(5, 5)},
			5: {at: 'x', moves: by(map[int32]automaton.Move{mine: {State: 0, Value: 0}, first: {State: 0, Value: other}}, 0)},
		})
	}
	s := space(t, explore.Crashes{}, 5, procs...)
	require.Nil(t, s.Overtaking(1, false), "a crash ends the place")
	o := s.Overtaking(1, true)
	require.NotNil(t, o)
	require.Contains(t, o.Path, 2+o.First, "it crashes on the way")
	for pid := range 2 {
		require.Nil(t, s.Starves(pid))
	}
}

// TestExcused: a process may stay between two passages, unless it has crashed, and where it has no step.
func TestExcused(t *testing.T) {
	// Process 1 stops in its critical section. Process 0 need not come.
	s := space(t, explore.Crashes{Most: 1}, 1, []line{{at: 'r', moves: to(0, 1)}}, []line{{at: 'r', moves: to(1, 1)}, {at: 'e', moves: to(2, 1)}, {at: 'c'}})
	require.True(t, s.excused(0, 0))
	require.True(t, s.excused(0, 1))
	entry := s.G.Next(0, 1)
	require.False(t, s.excused(entry, 1))
	in := s.G.Next(entry, 1)
	require.True(t, s.excused(in, 1), "it has no step")
	require.True(t, s.enters(entry, 1, in))
	require.False(t, s.enters(0, 1, entry))
	require.False(t, s.enters(in, 1, in))
	require.False(t, s.enters(entry, 3, in), "a crash is no entry")
	crashed := s.G.Next(entry, 3)
	require.Equal(t, interp.Remainder, s.section(crashed, 1))
	require.False(t, s.excused(crashed, 1), "it has crashed and must go on")
	require.True(t, s.trying(crashed, 1))
	require.False(t, s.completes(entry, 3, crashed, 1), "a crash completes no passage")
	require.False(t, s.owed(crashed, 1))
	require.True(t, s.owed(s.G.Next(in, 3), 1))
	require.Equal(t, Bound{Steps: 2, Pid: 1}, s.Cost(1, analyse.Anywhere), "the steps to its critical section")
}

// TestStopsInEntry: an execution that can stay in one state has a lasso without a cycle, though process 1
// may go on.
func TestStopsInEntry(t *testing.T) {
	s := space(t, explore.Crashes{Most: 1}, 1, []line{{at: 'r', moves: to(1, 1)}, {at: 'e'}}, []line{{at: 'r', moves: to(0, 1)}})
	for _, l := range []*Lasso{s.Starves(0), s.StarvesAmongCrashes(0), s.Deadlock()} {
		require.NotNil(t, l)
		require.Equal(t, []int{0}, l.Prefix)
		require.Empty(t, l.Cycle)
	}
	require.Nil(t, s.Starves(1))
}
