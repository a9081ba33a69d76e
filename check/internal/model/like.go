package model

import (
	"context"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// Like learns a lock for the values that occur in another one. It returns the lock if
// both have the same canonical form: the same accesses on the same lines, over
// registers of the same names. Then the same values occur in both, and all that was
// decided of the other's model is true of this one. States, registers and values are
// numbered as the other's are. Like returns nil if the forms differ.
func Like(ctx context.Context, build Builder, other *Lock, o Options) (*Lock, error) {
	if other.Model.Heap != nil {
		return nil, nil
	}
	m, err := build(ctx, other.Model.N)
	if err != nil {
		return nil, err
	}
	lock, err := interp.Restart(func() (*Lock, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return like(m, other, o)
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, nil // the lock is learned by itself, which tells why
	}
	return lock, nil
}

func like(m *interp.Machine, other *Lock, o Options) (*Lock, error) {
	l, err := automaton.New(m, maxLocal, o.Memory)
	if err != nil {
		return nil, err
	}
	lock := &Lock{Learner: l, Passages: other.Passages, Unbounded: other.Unbounded}
	occurs, names := occurring(other), l.M.Names()
	// Each round learns what its values lead to, and so more of the values.
	for grows := true; grows; {
		lock.Seen = among(l, names, occurs)
		if err := lock.minimize(o); err != nil {
			return nil, err
		}
		grows = !slices.EqualFunc(lock.Seen, among(l, names, occurs), slices.Equal[[]bool])
	}
	own, theirs := canonicalOf(lock), canonicalOf(other)
	if own == nil || theirs == nil || own.text != theirs.text {
		return nil, nil
	}
	lock.Model = own.numbered(lock.Model, theirs, other.Model)
	return lock, nil
}

// occurring tells which values of a lock's registers occur, by the names of registers
// and values.
func occurring(lock *Lock) map[string]map[string]bool {
	occurs, names := map[string]map[string]bool{}, lock.Learner.M.Names()
	for _, reg := range lock.Model.Regs {
		name, values := named(names, reg.At, reg.Values)
		occurs[name] = map[string]bool{}
		for _, v := range values {
			occurs[name][v] = true
		}
	}
	return occurs
}

// among tells which of the values that were learned so far have such names.
func among(l *automaton.Learner, names *interp.Names, occurs map[string]map[string]bool) automaton.Seen {
	seen := make(automaton.Seen, len(l.Regs))
	for r, reg := range l.Regs {
		name, values := named(names, reg.At, reg.Values)
		for _, v := range values {
			seen[r] = append(seen[r], occurs[name][v])
		}
	}
	return seen
}

// named returns the names of a register and its values. That of accesses which touch
// nothing has no name, nor has its value.
func named(names *interp.Names, at interp.Ptr, values []interp.Value) (name string, of []string) {
	if at == (interp.Ptr{}) {
		return "", make([]string, len(values))
	}
	for _, v := range values {
		of = append(of, names.Value(at, v))
	}
	return names.Cell(at), of
}
