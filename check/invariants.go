package check

import (
	"context"
	"fmt"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
	"shmbench/check/internal/views"
	"shmbench/shm"
)

// Invariant is the verdict on an invariant of the lock.
type Invariant struct {
	Name    string     `json:"name"`
	Source  shm.Source `json:"source"`
	Verdict Verdict    `json:"verdict"`
}

// property returns the name of the invariant as a property, for Report.Counterexample and
// in traces: the invariant "lemma 1".
func (i Invariant) property() string { return verdict.Invariant(i.Name) }

// mostInvariants is the largest number of invariants of a lock.
const mostInvariants = 64

// invariantVerdicts are the verdicts on the invariants of a lock.
type invariantVerdicts struct {
	all    []Invariant
	traces []*trace.Trace
}

// invariants decides in which states the lock's invariants hold. It evaluates them once for
// all states with the same view. Under total store order the view is memory, without the
// buffers. If it is interrupted, it decides nothing.
func invariants(ctx context.Context, x *explored.Lock) (v invariantVerdicts, err error) {
	if len(x.Source.Invariants) == 0 {
		return v, nil
	}
	s := views.New(x.Learned, x.Sys, x.Names, x.Source.Spec != nil && x.Source.Spec.Claims.Doorway != "")
	images := x.Orbit(s.Image())
	nearest, err := brokenIn(ctx, x, s, images)
	if ctx.Err() != nil {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	for i, inv := range x.Source.Invariants {
		at, broken := nearest[i]
		answer := Invariant{inv.Name, inv.Source, unless(x, broken)}
		v.all = append(v.all, answer)
		if broken {
			image := images[at.symmetry]
			state := make([]uint64, image.Words)
			image.Of(x.Graph.State(at.id), state)
			wrong, err := s.Ask(inv, state)
			if err != nil {
				return v, err
			}
			if wrong == nil {
				return v, fmt.Errorf("%s does not say the same twice of one state", answer.property())
			}
			v.traces = append(v.traces, traceOf(x, answer.property(), views.OneLine(wrong.Error()), x.PathTo(at.id, at.symmetry), nil))
		}
	}
	return v, nil
}

// member is a state of the orbit of a visited state.
type member struct {
	id       uint32
	symmetry int
}

// brokenIn returns, for each invariant that does not hold everywhere, a nearest state in which it does
// not, by the number of the invariant. An invariant may name ids, so it is asked about each image of a state.
func brokenIn(ctx context.Context, x *explored.Lock, s *views.Views, images []explore.Image) (map[int]member, error) {
	first := map[int]member{}
	for k, image := range images {
		nearest, err := x.Graph.Nearest(ctx, x.Opts.Workers, image, func(image []uint64) (broken uint64, err error) {
			for i, inv := range x.Source.Invariants {
				wrong, err := s.Ask(inv, image)
				if err != nil {
					return 0, err
				}
				if wrong != nil {
					broken |= 1 << i
				}
			}
			return broken, nil
		})
		if err != nil {
			return nil, err
		}
		for i, id := range nearest {
			if old, found := first[i]; !found || id < old.id {
				first[i] = member{id, k}
			}
		}
	}
	return first, nil
}

// invariantsOf returns the invariants of a lock: those of its specification, and further
// ones.
func invariantsOf(spec *shm.Algorithm, further []shm.Invariant) ([]shm.Invariant, error) {
	var all []shm.Invariant
	if spec != nil {
		all = append(all, spec.Invariants...)
	}
	all = append(all, further...)
	named := map[string]bool{}
	for i, inv := range all {
		switch {
		case inv.Name == "":
			return nil, fmt.Errorf("invariant number %d has no name", i+1)
		case named[inv.Name]:
			return nil, fmt.Errorf("there are two invariants %q: give each a name of its own", inv.Name)
		case inv.Holds == nil:
			return nil, fmt.Errorf("%s has no predicate: set Holds", verdict.Invariant(inv.Name))
		}
		named[inv.Name] = true
	}
	if len(all) > mostInvariants {
		return nil, fmt.Errorf("%d invariants are too many: a lock can have %d", len(all), mostInvariants)
	}
	return all, nil
}
