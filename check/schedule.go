package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// Schedule is an execution as whose turn it is, step by step.
type Schedule struct {
	Origin Origin
	N      int
	// TSO: all stores go through store buffers. Otherwise those do that have no
	// fence as they are written.
	TSO bool
	// Turns are separated by commas. "0" is the next access of process 0, "0:flush"
	// the arrival in memory of the oldest store in its buffer, "0:TryLock" its
	// decision to call that, and "0:true" what its giveUp returns. What follows a
	// "/" goes round and round.
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

// Replay runs a schedule on the lock's automata and on its compiled code, which must
// make the same accesses, prints its steps and the end to w, and returns it as a
// trace. What goes round is run many times.
func (s *Schedule) Replay(ctx context.Context, w io.Writer) (*Trace, error) {
	turns, cycle, err := s.parse()
	if err != nil {
		return nil, err
	}
	mixed := slices.ContainsFunc(turns, func(t turnOf) bool { return t.does != "" && t.does != flush })
	lock, err := s.Origin.lock(ctx, mixed)
	if err != nil {
		return nil, err
	}
	learned, err := lock.learnSome(ctx, s.N)
	if err != nil {
		return nil, err
	}
	t := &Trace{Origin: s.Origin, N: s.N, Memory: "sc", Unfenced: s.TSO, Mixed: lock.mixed, Cycle: cycle}
	sim := simulate(learned.Learner, learned.Learner.M.Names(), s.buffers(learned.Learner))
	if sim.buffers != nil {
		t.Memory = "tso"
	}
	learned.Learner.M.Freeze()
	var schedule []byte
	for i, turn := range turns {
		actor, err := sim.actor(turn)
		if err != nil {
			return nil, fmt.Errorf("turn %d of the schedule is %q: %w", i+1, turn.text, err)
		}
		step, err := step(sim, actor)
		if err != nil {
			return nil, fmt.Errorf("turn %d of the schedule is %q: %w", i+1, turn.text, err)
		}
		t.Steps, schedule = append(t.Steps, step), append(schedule, byte(actor))
	}
	var places []string
	for pid := range s.N {
		places = append(places, fmt.Sprintf("process %d is in its %s section", pid, sim.next(pid).Section))
	}
	t.End = strings.Join(places, ", ")
	t.Code, t.texts = lock.code(learned)
	code, err := lock.compiled(ctx)
	if err != nil {
		return nil, err
	}
	defer code.Close()
	m := newMirror(ctx, lock, learned, sim.again, code)
	if err := m.stoppable(); err != nil {
		return nil, fmt.Errorf("%s cannot be replayed: %w", lock.name, err)
	}
	return t, t.confirm(w, m, schedule)
}

// actor is whose turn it is in a simulation.
func (s *simulation) actor(t turnOf) (int, error) {
	if t.does == flush {
		if s.buffers == nil {
			return 0, errors.New("no store of this lock goes through a store buffer; with -memory tso all do")
		}
		return s.actors().Number(explore.Actor{Kind: explore.Buffer, Pid: t.pid}), nil
	}
	a := s.next(t.pid).Access
	if a == nil || !a.Decides() {
		if t.does != "" {
			return 0, fmt.Errorf("the process has nothing to decide: write %d", t.pid)
		}
		return t.pid, nil
	}
	var choices []string
	for by := (explore.Actor{Pid: t.pid}); !s.stands(s.actors().Number(by)); by.Outcome++ {
		choice := strconv.FormatBool(by.Outcome != 0)
		if a.Op != interp.Poll {
			choice = s.l.M.Called(s.l.Regs[s.l.Procs[t.pid].Reg[s.states[t.pid]]].Values[by.Outcome]).Name()
		}
		if choice == t.does {
			return s.actors().Number(by), nil
		}
		choices = append(choices, fmt.Sprintf("%d:%s", t.pid, choice))
	}
	return 0, fmt.Errorf("the process decides: write %s", strings.Join(choices, " or "))
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

// lock is the lock that a trace or a schedule is of.
func (o Origin) lock(ctx context.Context, mixed bool) (*lock, error) {
	src, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	l := src.lock(o.Constructor)
	if o.List != "" {
		l = src.algorithm(o.List, shm.Algorithm{Name: o.Algorithm}, o.Paths...)
		l.card = nil
	}
	l.mixed = mixed
	return l, nil
}

// learnSome learns the lock for n processes, as far as that can be.
func (l *lock) learnSome(ctx context.Context, n int) (*model.Lock, error) {
	learned, err := l.learn(ctx, n, model.Options{})
	var stopped *model.Stopped
	if errors.As(err, &stopped) && ctx.Err() == nil {
		return stopped.Lock, nil // of what was learned by then
	}
	return learned, err
}
