// Package compiled checks the interpreter against the compiled code of a lock. A Mirror runs
// a schedule on the automata, which gives a forecast of every event. It then runs the
// schedule on the compiled code, whose accesses stop one by one. Each access must be the
// same, with the same values (pairs.go). Each process must be in the same section
// (whereabouts.go). Transitions.go finds schedules that take every transition of the
// automata.
package compiled

import (
	"errors"
	"math/rand/v2"
)

// runLength is how many steps a random schedule has, if every actor that is drawn
// has one to make. Under store buffers many have none: a buffer that is empty, a
// process that waits for its own. So many times more are drawn then.
const (
	runLength     = 1000
	BufferedTries = 3
)

// Plan is what is run on the compiled code and on the automata.
type Plan struct {
	Traces  [][]byte // the schedules of traces
	Stopped bool     // not everything could be modeled: only the traces are run
	// Transitions returns schedules that together take every transition that can be taken,
	// and how many these are. It is nil if not every state was visited.
	Transitions func() ([][]byte, int)
	// Accesses is how many steps random schedules have together. They draw from so many
	// actors, and each step is drawn up to Tries times.
	Accesses, Actors, Tries int
}

// Result counts what was replayed.
type Result struct {
	Transitions, Counterexamples, Schedules, Accesses int
	// Omitted says why nothing was; then no verdict was checked against the compiled code.
	Omitted string
}

// Replay runs a plan on the compiled code and on the automata, and compares them.
func (m *Mirror) Replay(p Plan) (*Result, error) {
	done, err := m.replay(p)
	if out, ok := errors.AsType[*notReplayable](err); ok {
		return &Result{Omitted: out.why}, nil
	}
	return done, err
}

func (m *Mirror) replay(p Plan) (*Result, error) {
	done := new(Result)
	if err := m.Stoppable(); err != nil {
		return nil, err
	}
	if err := m.starts(); err != nil {
		return nil, err
	}
	for _, schedule := range p.Traces {
		err := m.Same(schedule)
		if errors.Is(err, errBeyond) {
			continue
		}
		if err != nil {
			return nil, err
		}
		done.Counterexamples++
	}
	if !p.Stopped {
		if err := m.further(p, done); err != nil {
			return nil, err
		}
	}
	done.Accesses = m.accesses
	return done, nil
}

// further runs every transition, and random schedules.
func (m *Mirror) further(p Plan, done *Result) error {
	if p.Transitions != nil {
		schedules, all := p.Transitions()
		for _, schedule := range schedules {
			if err := m.Same(schedule); err != nil {
				return err
			}
		}
		done.Transitions = all
	}
	// The seed is fixed: a disagreement can be found again.
	rnd := rand.New(rand.NewPCG(1981, uint64(m.n())))
	m.took = 0
	for left := p.Accesses; left > 0 && m.took < TimeLimit; left -= runLength {
		schedule := make([]byte, min(left, runLength)*p.Tries)
		actor := 0
		for i := range schedule {
			if rnd.IntN(3) > 0 { // sometimes the same one again
				actor = rnd.IntN(p.Actors)
			}
			schedule[i] = byte(actor)
		}
		switch err := m.Same(schedule); {
		case errors.Is(err, errBeyond): // where not every state was visited
		case err != nil:
			return err
		default:
			done.Schedules++
		}
	}
	return nil
}
