// Package spec compares the findings of a check with the specification of the lock. One table
// has the properties that a specification may claim, and where it may claim them: of passages
// by Lock and Unlock, of passages in all modes, and on registers that are not atomic. The
// table says which properties a lock must have (Required) and which ones its specification
// claims (Claimed). It says where the lock is worse than its specification
// (Expected.Compare), and where it is better (Expected.TooWeak).
package spec

import (
	"slices"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Terms are the conditions under which a lock was checked.
type Terms struct {
	N     int
	Modes []shm.Mode // that the lock has
	Mixed bool       // passages are made in all modes, and not only by Lock and Unlock
	// Registers is what registers are that are only read and written; empty if atomic.
	Registers shm.RegisterModel
}

// weak reports whether registers are not atomic.
func (t Terms) weak() bool { return t.Registers != "" && t.Registers != shm.Atomic }

// The names of the bounds on remote memory references that a specification may claim.
const (
	CoherentReferences    = "a bound on remote memory references with coherent caches"
	DistributedReferences = "a bound on remote memory references with distributed memory"
)

// claim is a property that a specification may claim. Each of the functions pure, mixed and
// registers is nil if the property cannot be claimed there.
type claim struct {
	names []string // of the properties that are claimed together
	// demanded: it is a disagreement if the property is claimed and violated, and has
	// no place of its own in the comparison.
	demanded bool
	// pure says whether a specification claims it of passages by Lock and Unlock.
	pure func(c *shm.Claims, n int) bool
	// mixed says whether a specification claims it of passages in all modes.
	mixed func(c *shm.Mixed, n int) bool
	// registers is the weakest model of registers on which a specification claims it.
	registers func(shm.Weakest) shm.RegisterModel
	// modes says in which modes the property is asked; nil if it is in every mode. If mixed
	// is nil, every lock that has such a mode must have the property.
	modes func(shm.Mode) bool
	// references: it is a bound on remote memory references.
	references bool
	// endless: to have it within a limit of passages says nothing of a lock that needs
	// no limit with narrow words and lets a process starve then.
	endless bool
	// unlimited: in all modes, to have it within a limit of passages says nothing.
	unlimited bool
}

// claims are the properties that a specification may claim, in the order in which disagreements
// name them.
var claims = []claim{
	{names: []string{verdict.MutualExclusion},
		registers: func(w shm.Weakest) shm.RegisterModel { return w.Exclusion }},
	{names: []string{verdict.DeadlockFreedom},
		pure:      func(c *shm.Claims, _ int) bool { return c.DeadlockFree },
		registers: func(w shm.Weakest) shm.RegisterModel { return w.DeadlockFree }},
	{names: []string{verdict.ExitProgress}, pure: exitsEnd},
	{names: []string{verdict.DeadlockFreedom, verdict.ExitProgress},
		mixed: func(c *shm.Mixed, _ int) bool { return c.DeadlockFree }},
	{names: []string{verdict.StarvationFreedom}, demanded: true, endless: true, unlimited: true,
		pure:      func(c *shm.Claims, _ int) bool { return c.StarvationFree },
		mixed:     func(c *shm.Mixed, _ int) bool { return c.Writers.StarvationFree },
		registers: func(w shm.Weakest) shm.RegisterModel { return w.StarvationFree }},
	{names: []string{verdict.FirstComeFirstServed}, demanded: true,
		pure: func(c *shm.Claims, _ int) bool { return c.FCFS }},
	{names: []string{verdict.BoundedBypass}, demanded: true,
		pure:  func(c *shm.Claims, n int) bool { return c.Bypass.Of(n) != shm.Unbounded },
		mixed: func(c *shm.Mixed, n int) bool { return c.Writers.Bypass.Of(n) != shm.Unbounded }},
	{names: []string{verdict.ReaderBoundedBypass}, demanded: true,
		mixed: func(c *shm.Mixed, n int) bool { return c.Readers.Bypass.Of(n) != shm.Unbounded }},
	{names: []string{CoherentReferences}, references: true, endless: true,
		pure: func(c *shm.Claims, _ int) bool { return c.LocalSpin.CC }},
	{names: []string{DistributedReferences}, references: true, endless: true,
		pure: func(c *shm.Claims, _ int) bool { return c.LocalSpin.DSM }},

	{names: []string{verdict.ReadersTogether}, modes: shm.Mode.Reads},
	{names: []string{verdict.ReaderStarvationFreedom}, modes: waitsToRead, unlimited: true,
		mixed: func(c *shm.Mixed, _ int) bool { return c.Readers.StarvationFree }},
	{names: []string{verdict.ConcurrentReaders}, modes: waitsToRead,
		mixed: func(c *shm.Mixed, _ int) bool { return c.Concurrent }},
	{names: []string{verdict.NoEffect}, modes: shm.Mode.Tries},
	{names: []string{verdict.WaitFreeTry}, modes: shm.Mode.Tries,
		mixed: func(c *shm.Mixed, _ int) bool { return c.WaitFreeTry }},
	{names: []string{verdict.StrongTry}, modes: shm.Mode.Tries,
		mixed: func(c *shm.Mixed, _ int) bool { return c.StrongTry }},
	{names: []string{verdict.WaitFreeAbort}, modes: func(m shm.Mode) bool { return m == shm.Until },
		mixed: func(c *shm.Mixed, _ int) bool { return c.WaitFreeAbort }},
}

func exitsEnd(c *shm.Claims, n int) bool { return c.ExitProcs == 0 || n <= c.ExitProcs }

func waitsToRead(m shm.Mode) bool { return m == shm.Shared }

// by reports whether a specification claims the property under the given terms, and whether it
// could.
func (c claim) by(spec *shm.Algorithm, t Terms) (claimed, could bool) {
	switch {
	case t.weak() && c.registers != nil:
		return c.registers(spec.Claims.Weakest).Covers(t.Registers), true
	case t.weak():
		return false, false
	case t.Mixed && c.mixed != nil:
		return c.mixed(&spec.Claims.Mixed, t.N), true
	case !t.Mixed && c.pure != nil:
		return c.pure(&spec.Claims, t.N), true
	}
	return false, false
}

// Asked reports whether a property has to do with a mode that a lock has.
func Asked(property string, modes []shm.Mode) bool {
	return slices.ContainsFunc(claims, func(c claim) bool {
		return c.names[0] == property && c.modes != nil && slices.ContainsFunc(modes, c.modes)
	})
}

// Required returns the properties that every lock must have under the given
// terms. On registers that are not atomic, a lock with a specification must
// have those that the specification claims there. The same holds where
// passages are made in all modes. The specification is nil if there is none.
func Required(spec *shm.Algorithm, t Terms) []string {
	all := []string{verdict.MutualExclusion, verdict.DeadlockFreedom, verdict.ExitProgress, verdict.DataRaceFreedom, verdict.PanicFreedom}
	switch {
	case t.Mixed:
		if spec != nil && !spec.Claims.Mixed.DeadlockFree {
			all = slices.DeleteFunc(all, func(p string) bool { return p == verdict.DeadlockFreedom || p == verdict.ExitProgress })
		}
		for _, c := range claims {
			asked := c.modes != nil && slices.ContainsFunc(t.Modes, c.modes)
			if asked && (c.mixed == nil || spec != nil && c.mixed(&spec.Claims.Mixed, t.N)) {
				all = append(all, c.names...)
			}
		}
	case t.weak() && spec != nil:
		all = slices.DeleteFunc(all, func(p string) bool { return !WeakestRegisters(spec.Claims.Weakest, p).Covers(t.Registers) })
	case spec != nil && !exitsEnd(&spec.Claims, t.N):
		all = slices.DeleteFunc(all, func(p string) bool { return p == verdict.ExitProgress })
	}
	return all
}

// Claimed returns the properties that a specification claims besides those that every lock must
// have, as far as a verdict decides them.
func Claimed(spec *shm.Algorithm, t Terms) (all []string) {
	if spec == nil {
		return nil
	}
	for _, c := range claims {
		if claimed, _ := c.by(spec, t); claimed && c.demanded {
			all = append(all, c.names...)
		}
	}
	return all
}

// Owes reports whether a lock must have a property, or its specification claims it.
func Owes(spec *shm.Algorithm, t Terms, property string) bool {
	return slices.Contains(Required(spec, t), property) || slices.Contains(Claimed(spec, t), property)
}

// WeakestRegisters returns the weakest registers on which a specification with these claims
// says that the lock has the property. The property is one that every lock must have on
// atomic registers, or starvation freedom. A lock that keeps exclusion does not panic, and
// a lock in which some process always enters lets no process stay in its exit section.
func WeakestRegisters(w shm.Weakest, property string) shm.RegisterModel {
	switch property {
	case verdict.DeadlockFreedom, verdict.ExitProgress:
		return w.DeadlockFree
	case verdict.StarvationFreedom:
		return w.StarvationFree
	}
	return w.Exclusion
}
