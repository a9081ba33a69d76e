package spec

import (
	"fmt"
	"reflect"
	"slices"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Expected is what the findings of a check are compared with.
type Expected struct {
	Algorithm *shm.Algorithm
	// Placed: the user said where the processes are. Then few of them may be on too few nodes
	// to need all of a lock for several nodes. So a claim may hold there that the
	// specification does not make for more processes.
	Placed bool
	// Passages is how many passages of each process were asked for; 0 for no limit.
	Passages int
}

// Found is what a check found of a lock for one n.
type Found struct {
	Terms
	Passages  int  // of each process, 0 for any number
	Exhausted bool // every state was visited
	Refused   bool // the lock cannot be modeled
	// Required are the properties that the lock must have, its own invariants among them.
	Required []string
	// Holds and Violated report what is known of a property by its name.
	Holds, Violated func(property string) bool
	// Bypass, ReaderBypass and Placed are how often a process is passed: shm.Unbounded if
	// there is no bound, nil if it is unknown. Placed is of a process behind the
	// specification's place.
	Bypass, ReaderBypass, Placed *int
	// DoorwayLost: no access is on the line on which the specification ends the doorway, so a
	// process waits before that end.
	DoorwayLost bool
	// References are how many remote memory references a passage makes at most, by model.
	References map[shm.RMRModel]*int
	Class      shm.Class
	Kinds      []Kind
	Overflows  bool // executions were cut off in which a register left its range
	// StarvesNarrow: with narrow words, which need no limit of passages, a process starves,
	// or they are too narrow for the lock and say nothing of it.
	StarvesNarrow bool
}

// Kind is the shared registers of one name.
type Kind struct {
	Name                    string
	Count, Values           int
	Unbounded, SingleWriter bool
}

// Loss is a claim of the specification that does not hold, and a sentence that says so.
type Loss struct{ Claim, Says string }

// Comparison is where a lock is not what its specification says.
type Comparison struct {
	Disagreements []string
	Lost          []Loss // claims that do not hold
}

// lose adds a disagreement, and the name of the claim that does not hold. The name is ""
// where nothing that the specification claims is lost.
func (c *Comparison) lose(claim, format string, args ...any) {
	says := fmt.Sprintf(format, args...)
	if claim != "" {
		c.Lost = append(c.Lost, Loss{claim, says})
	}
	c.Disagreements = append(c.Disagreements, says)
}

// Compare compares what was found with the specification, as far as one n can tell.
func (s Expected) Compare(f Found) Comparison {
	var c Comparison
	if s.Algorithm == nil {
		return c
	}
	for _, p := range slices.Concat(f.Required, Claimed(s.Algorithm, f.Terms)) {
		switch {
		case !f.Violated(p):
		case f.weak():
			c.Disagreements = append(c.Disagreements, fmt.Sprintf("%s is violated on %s registers, the specification says that it holds on them", p, f.Registers))
		case f.Mixed:
			c.lose(p, "in all modes, %s is violated", p)
		default:
			c.lose(p, "%s is violated", p)
		}
	}
	switch {
	case !f.Exhausted || f.weak():
	case f.Mixed:
		s.compareModes(f, &c)
	default:
		s.comparePure(f, &c)
	}
	return c
}

// comparePure compares the findings on passages by Lock and Unlock, when every state
// was visited.
func (s Expected) comparePure(f Found, c *Comparison) {
	claimed := s.Algorithm.Claims
	switch {
	case f.DoorwayLost:
		c.lose(verdict.WaitFreeDoorway, "no access to shared memory is on line %s, where the doorway of the specification ends", claimed.Doorway)
	case claimed.Doorway != "" && f.Violated(verdict.WaitFreeDoorway):
		c.lose(verdict.WaitFreeDoorway, "the doorway up to line %s is not wait-free", claimed.Doorway)
	}
	if want := claimed.Bypass.Of(f.N); !f.DoorwayLost && s.otherBypass(f, claimed.Bypass, *f.Bypass) {
		c.lose(ifMore(verdict.BoundedBypass, *f.Bypass, want), "the bypass is %s, the specification says %s", Bound(*f.Bypass), Bound(want))
	}
	if f.Placed != nil && f.N > 1 {
		if want, got := claimed.Placed.Of(f.N), *f.Placed; want != got && !(f.Passages > 0 && got < want) {
			c.lose(ifMore(verdict.PlacedBypass, got, want), "behind line %s a process is passed %s times, the specification says %s", claimed.Place, Bound(got), Bound(want))
		}
	}
	for _, p := range claims {
		if p.references && f.N > 1 && p.pure(&claimed, f.N) && f.Violated(p.names[0]) {
			c.lose(p.names[0], "%s is violated", p.names[0])
		}
	}
	s.compareReferences(f, c)
	if len(f.Modes) > 1 {
		return // registers are those of all modes
	}
	if !reflect.ValueOf(claimed.Mixed).IsZero() && len(f.Modes) == 1 {
		c.lose("", "the specification claims something of mixed passages, and the lock has Lock and Unlock only")
	}
	s.compareRegisters(f, "", c)
}

// compareModes compares the findings on passages in all modes, when every state was
// visited.
func (s Expected) compareModes(f Found, c *Comparison) {
	for _, caller := range []struct {
		call                   string
		claims                 shm.Patient
		bypass                 *int
		boundedBypass, doorway string
	}{
		{"Lock", s.Algorithm.Claims.Mixed.Writers, f.Bypass, verdict.BoundedBypass, verdict.WaitFreeDoorway},
		{"RLock", s.Algorithm.Claims.Mixed.Readers, f.ReaderBypass, verdict.ReaderBoundedBypass, verdict.ReaderWaitFreeDoorway},
	} {
		if caller.bypass == nil {
			continue
		}
		if caller.claims.Doorway != "" && f.Violated(caller.doorway) {
			c.lose(caller.doorway, "in all modes, the doorway of %s up to line %s is not wait-free", caller.call, caller.claims.Doorway)
		}
		if want := caller.claims.Bypass.Of(f.N); s.otherBypass(f, caller.claims.Bypass, *caller.bypass) {
			c.lose(ifMore(caller.boundedBypass, *caller.bypass, want), "in all modes, the bypass of %s is %s, the specification says %s", caller.call, Bound(*caller.bypass), Bound(want))
		}
	}
	s.compareRegisters(f, "in all modes, ", c)
}

// ifMore returns the name of a claim if a bound is greater than the specification says.
func ifMore(claim string, got, want int) string {
	if want == shm.Unbounded || got != shm.Unbounded && got <= want {
		return ""
	}
	return claim
}

// otherBypass reports whether a bypass is another than the specification says. No process passes the
// one process of a lock for one.
func (s Expected) otherBypass(f Found, says shm.Formula, got int) bool {
	want := says.Of(f.N)
	return f.N > 1 && want != got && !(want == shm.Unbounded && (s.Passages > 0 || AtLimit(f.N, f.Passages, got)))
}

// AtLimit reports whether a bypass among n processes may be what the limit of passages
// allows; 0 is no limit.
func AtLimit(n, passages, bypass int) bool {
	return passages > 0 && n > 1 && bypass >= (n-1)*passages
}

// Bound is a bound in words.
func Bound(b int) string {
	if b == shm.Unbounded {
		return "unbounded"
	}
	return fmt.Sprint(b)
}
