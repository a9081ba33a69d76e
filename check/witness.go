package check

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/trace"
	"shmbench/shm"
)

// Witnesses are the names of bounds for Options.Witness: a report shows an execution that attains
// the bound.
var Witnesses = []string{"bypass", "rmr-cc", "rmr-through", "rmr-dsm", "amortized", "amortized-dsm", "exit", "exit-cc", "exit-dsm", "abort", "value", "buffer"}

// witness returns an execution that attains a bound. It returns nil, and why, if there is none.
func witness(ctx context.Context, d *verdicts, kind string) (*trace.Trace, string) {
	x := d.x
	switch {
	case x.Source.Crashes != nil:
		return nil, ""
	case !x.Exhausted() || d.use == nil:
		return nil, "not every state was visited"
	case x.Source.Mixed != (kind == "abort") || x.Source.Mixed && !slices.Contains(x.Modes(), shm.Until):
		return nil, ""
	case kind == "buffer":
		return fullest(x)
	case kind == "value":
		return mostValues(x, d.use)
	case kind == "bypass":
		return mostPassed(d)
	case !x.Memory.Terms().Consistent():
		return nil, "references are counted in sequentially consistent memory only"
	}
	c := newCounter(ctx, x, d.use, cacheStates)
	remote := func(s *analyse.Space, pid int, remote func(uint32, int) bool) analyse.Measure {
		return s.Remote(pid, x.N, remote)
	}
	accesses := func(measure measured) measured {
		return func(s *analyse.Space, pid int, _ func(uint32, int) bool) analyse.Measure {
			return measure(s, pid, c.accesses)
		}
	}
	switch kind {
	case "rmr-cc":
		return c.costliest(shm.WriteBack, remote, "remote memory references of a passage, cc write-back", "process %d makes %s remote memory references")
	case "rmr-through":
		return c.costliest(shm.WriteThrough, remote, "remote memory references of a passage, cc write-through", "process %d makes %s remote memory references")
	case "rmr-dsm":
		return c.costliest(shm.Distributed, remote, "remote memory references of a passage, dsm", "process %d makes %s remote memory references")
	case "exit":
		return c.costliest(shm.Distributed, accesses((*analyse.Space).Exit), "steps of an exit section", "process %d makes %s steps in its exit section")
	case "exit-cc":
		return c.costliest(shm.WriteBack, (*analyse.Space).Exit, "remote memory references of an exit section, cc write-back", "process %d makes %s remote memory references in its exit section")
	case "exit-dsm":
		return c.costliest(shm.Distributed, (*analyse.Space).Exit, "remote memory references of an exit section, dsm", "process %d makes %s remote memory references in its exit section")
	case "abort":
		return c.costliest(shm.Distributed, accesses((*analyse.Space).Aborted), "steps of an attempt that is given up", "process %d makes %s steps after giveUp has returned true")
	case "amortized":
		return c.worstMean(shm.WriteBack)
	}
	return c.worstMean(shm.Distributed)
}

const tooManyStates = "the states with caches are too many"

// costliest is an execution with the greatest cost of a process. Counts says what it is, with the
// process and a number: "process %d makes %s steps".
func (c *counter) costliest(m shm.RMRModel, measure measured, bound, counts string) (*trace.Trace, string) {
	worst, known := c.attain(m, measure)
	switch {
	case !known:
		return nil, tooManyStates
	case worst == nil:
		return nil, "the bound is 0"
	case worst.Cost == shm.Unbounded:
		return attaining(c.x, bound, shm.Unbounded, fmt.Sprintf(counts, worst.pid, "ever more"), worst.Attained), ""
	}
	return attaining(c.x, bound, worst.Cost, fmt.Sprintf(counts, worst.pid, fmt.Sprint(worst.Cost)), worst.Attained), ""
}

// worstMean is an execution with the greatest mean for each passage.
func (c *counter) worstMean(m shm.RMRModel) (*trace.Trace, string) {
	if c.x.Learned.Passages > 0 {
		return nil, "the passages are limited, and a mean is of infinitely many"
	}
	s, remote, ok := c.in(m, everyone)
	if !ok {
		return nil, tooManyStates
	}
	num, den, a := s.Amortized(remote)
	bound := "amortized remote memory references, " + string(m)
	if den == 0 {
		return attaining(c.x, bound, shm.Unbounded, "the processes make ever more remote memory references, and no passage ends", a), ""
	}
	return attaining(c.x, bound, num, fmt.Sprintf("the processes make %s remote memory references for each passage that ends", fraction(num, den)), a), ""
}

// mostPassed is an execution in which a process, past its doorway, is passed as often as can be.
func mostPassed(d *verdicts) (*trace.Trace, string) {
	doorway, _ := d.x.Doorways(shm.Exclusive)
	if doorway == nil {
		return nil, string(NoDoorway)
	}
	c := newCounter(context.Background(), d.x, d.use, cacheStates)
	return c.costliest(shm.Distributed, func(s *analyse.Space, pid int, _ func(uint32, int) bool) analyse.Measure {
		return s.Passed(pid, doorway[pid])
	}, "bypass", "process %d, past its doorway, is passed by %s critical sections of others")
}

// attaining is the trace of an execution that attains a bound.
func attaining(x *explored.Lock, bound string, value int, end string, a analyse.Attained) *trace.Trace {
	t := traceOf(x, "", end, a.Prefix, a.Cycle)
	t.Bound, t.Value, t.Unclaimed = bound, value, false
	longer := len(t.Actors) - len(a.Prefix) - len(a.Cycle) // rounds of the cycle before it
	for _, i := range a.Counted {
		if i >= len(a.Prefix) {
			for round := 0; round < longer; round += len(a.Cycle) {
				t.Counted = append(t.Counted, i+round)
			}
			i += longer
		}
		t.Counted = append(t.Counted, i)
	}
	slices.Sort(t.Counted)
	return t
}

// mostValues is an execution after which the register of the most values has held all of them
// that it can hold.
func mostValues(x *explored.Lock, use *registerUse) (*trace.Trace, string) {
	if x.Graph.States > cacheStates {
		return nil, tooManyStates
	}
	reg := 0
	for r := range use.used {
		if use.used[r].values > use.used[reg].values {
			reg = r
		}
	}
	seen, last := map[int32]bool{}, uint32(0)
	for id := range uint32(x.Graph.States) {
		if v := x.Sys.Regs[reg].Of(x.Graph.State(id)); !seen[v] {
			seen[v], last = true, id
		}
	}
	name := x.Names.Cell(x.Learned.Model.Regs[reg].At)
	return attaining(x, "values of a register", len(seen), fmt.Sprintf("%s has the farthest of its %d values", name, len(seen)), analyse.Attained{Prefix: x.Graph.Path(last)}), ""
}

// fullest is an execution after which a process has as many stores in its buffer as can be.
func fullest(x *explored.Lock) (*trace.Trace, string) {
	most, at, whose := 0, uint32(0), 0
	for id := range uint32(x.Graph.States) {
		for pid := range x.N {
			stores := 0
			for range x.Memory.Pending(x.Graph.State(id), pid) {
				stores++
			}
			if stores > most {
				most, at, whose = stores, id, pid
			}
		}
	}
	if most == 0 {
		return nil, "no store goes into a buffer"
	}
	return attaining(x, "stores in a buffer", most, fmt.Sprintf("process %d has %d stores in its buffer", whose, most), analyse.Attained{Prefix: x.Graph.Path(at)}), ""
}

// CheckWitness returns an error unless kind is one of Witnesses.
func CheckWitness(kind string) error {
	if !slices.Contains(Witnesses, kind) {
		return fmt.Errorf("there is no bound %q; the bounds are %s", kind, strings.Join(Witnesses, ", "))
	}
	return nil
}

// writeWitnesses prints the executions that attain bounds, and why there is none of the others.
func (r *Report) writeWitnesses(w io.Writer) error {
	for _, kind := range slices.Sorted(maps.Keys(r.NoWitness)) {
		fmt.Fprintf(w, "\n%s, n = %d: no witness of %s: %s\n", r.Algorithm+r.inAllModes(), r.N, kind, r.NoWitness[kind])
	}
	for _, t := range r.Witnesses {
		if _, err := fmt.Fprintf(w, "\n%s", t); err != nil {
			return err
		}
	}
	return nil
}
