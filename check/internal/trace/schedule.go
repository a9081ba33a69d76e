package trace

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/source"
)

// Schedule is an execution as whose turn it is, step by step.
type Schedule struct {
	Origin source.Origin
	N      int
	// TSO: all stores go through store buffers. Otherwise those do that have no
	// fence as they are written.
	TSO bool
	// Turns are separated by commas. "0" is the next access of process 0. "0:flush" is the
	// arrival in memory of the oldest store in its buffer. "0:TryLock" is its decision to
	// call TryLock, and "0:true" is the result of its giveUp. The turns after a "/" are
	// repeated forever.
	Turns string
}

// turnOf is one turn of a schedule.
type turnOf struct {
	text string
	pid  int
	does string // what follows the colon
}

var scheduleLike = regexp.MustCompile(`^/?[0-9]+([,:/ ]|$)`)

// IsSchedule reports whether a word begins like a schedule, and not like the name of a
// file.
func IsSchedule(word string) bool { return scheduleLike.MatchString(word) }

// parse reads the turns; cycle is -1 if nothing goes round.
func (s *Schedule) parse() (turns []turnOf, cycle int, err error) {
	before, round, cyclic := strings.Cut(s.Turns, "/")
	cycle = -1
	parts := []string{before}
	if cyclic {
		parts = append(parts, round)
	}
	for i, part := range parts {
		if i == 1 {
			cycle = len(turns)
		}
		if part == "" && i == 0 && cyclic {
			continue
		}
		for text := range strings.SplitSeq(part, ",") {
			text = strings.TrimSpace(text)
			word, does, decides := strings.Cut(text, ":")
			pid, err := strconv.Atoi(word)
			if err != nil || decides && does == "" {
				return nil, 0, fmt.Errorf("turn %d of the schedule is %q: write whose turn it is, as in 0,1,1, or 0:flush for a store buffer's", len(turns)+1, text)
			}
			if pid < 0 || pid >= s.N {
				return nil, 0, fmt.Errorf("turn %d of the schedule is %q: the processes are 0 to %d", len(turns)+1, text, s.N-1)
			}
			turns = append(turns, turnOf{text, pid, does})
		}
	}
	return turns, cycle, nil
}

// Turns returns the schedule of a trace, in the form of Schedule.Turns. It is empty if no
// schedule has the steps of the trace, because processes crash, or because the trace has none.
func (t *Trace) Turns() string {
	var turns strings.Builder
	if t.Crashes != "" {
		return ""
	}
	for i, s := range t.Steps {
		switch {
		case i == t.Cycle:
			turns.WriteByte('/')
		case i > 0:
			turns.WriteByte(',')
		}
		turns.WriteString(strconv.Itoa(s.Process))
		switch s.Op {
		case execution.Flush:
			turns.WriteString(":" + execution.Flush)
		case "call", "poll":
			turns.WriteString(":" + s.After)
		}
	}
	return turns.String()
}

// Replay runs a schedule on the lock's automata and on its compiled code, which must make the
// same accesses. It prints the steps and the end to w, and returns them as a trace. A part
// that is repeated forever runs many times, and need not lead back to where it began. The end is
// that of the last time.
func (s *Schedule) Replay(ctx context.Context, w io.Writer) (*Trace, error) {
	turns, cycle, err := s.parse()
	if err != nil {
		return nil, err
	}
	mixed := slices.ContainsFunc(turns, func(t turnOf) bool { return t.does != "" && t.does != execution.Flush })
	lock, err := s.Origin.Lock(ctx, mixed)
	if err != nil {
		return nil, err
	}
	learned, err := lock.LearnSome(ctx, s.N)
	if err != nil {
		return nil, err
	}
	t := &Trace{Origin: s.Origin, N: s.N, Memory: "sc", Unfenced: s.TSO, Mixed: lock.Mixed, Cycle: cycle}
	sim := execution.Simulate(learned.Learner, learned.Learner.M.Names(), s.buffers(learned.Learner))
	if sim.Buffers != nil {
		t.Memory = "tso"
	}
	learned.Learner.M.Freeze()
	var schedule []byte
	for i, at := range inRounds(len(turns), cycle) {
		turn := turns[at]
		actor, err := sim.Actor(turn.pid, turn.does)
		if err != nil {
			return nil, fmt.Errorf("turn %d of the schedule is %q: %w", at+1, turn.text, err)
		}
		step, err := execution.MakeStep(sim, actor)
		if err != nil {
			return nil, fmt.Errorf("turn %d of the schedule is %q: %w", at+1, turn.text, err)
		}
		if i == at { // the first round
			t.Steps = append(t.Steps, step)
		}
		schedule = append(schedule, byte(actor))
	}
	var places []string
	for pid := range s.N {
		places = append(places, fmt.Sprintf("process %d is in its %s section", pid, sim.Next(pid).Section))
	}
	t.End = strings.Join(places, ", ")
	t.Code, t.texts = lock.Code(learned)
	code, err := lock.Compiled(ctx)
	if err != nil {
		return nil, err
	}
	defer code.Close()
	m := compiled.NewMirror(ctx, lock, learned, sim.Again, code)
	if err := m.Stoppable(); err != nil {
		return nil, fmt.Errorf("%s cannot be replayed: %w", lock.Name, err)
	}
	return t, t.confirm(w, m, schedule)
}

// buffers tells which stores go into a buffer; it is nil if none of the lock's do.
func (s *Schedule) buffers(l *automaton.Learner) func(pid int, state int32) bool {
	if s.TSO {
		return func(pid int, state int32) bool {
			a := l.Procs[pid].States[state].Access
			return a != nil && (a.Stores() || l.Procs[pid].Kind(state).Unfenced())
		}
	}
	for _, p := range l.Procs {
		for state := range p.States {
			if p.Kind(int32(state))&automaton.Released != 0 {
				return func(pid int, state int32) bool { return l.Procs[pid].Kind(state).Unfenced() }
			}
		}
	}
	return nil
}
