// Package everyn proves mutual exclusion of a lock for every number of processes by view
// abstraction (Abdulla, Haziza and Holík, "All for the price of few: parameterized verification
// through view abstraction", VMCAI 2013). It infers a template of one process from the automata
// of the source for a few n, and compares it with these automata. It then finds the views of few
// processes that can occur among any number of processes.
package everyn

import (
	"context"
	"errors"
	"fmt"

	"shmbench/check/internal/source"
)

// inferred has the numbers of processes for which the template is inferred. Compared begins with them.
var inferred = []int{2, 3, 4}

// Compared has the numbers of processes for which the template is compared with the source.
var Compared = []int{2, 3, 4, 5, 6}

// InWords says for which n the template is compared with the source.
func InWords() string { return fmt.Sprintf("n = %d to %d", Compared[0], Compared[len(Compared)-1]) }

// sizes are the numbers of processes in a view that Prove tries, in this order, and the most
// views of each.
var sizes = []struct{ size, most int }{{2, 20_000}, {3, 20_000}}

// Proof is what Prove finds.
type Proof struct {
	Lock     string
	Template *Template // nil if Why says that there is none
	Levels   []Level   // the proof; nil if there is none
	Size     int       // of the views of the proof, or of Failure
	Why      string    // there is no proof
	Failure  *Failure  // a view and a step at which an attempt failed
}

// Prove tries to prove mutual exclusion of a lock for every n of at least 2.
func Prove(ctx context.Context, b *source.Builder) (*Proof, error) {
	p := &Proof{Lock: b.Lock.Name}
	t, err := templateOf(ctx, b)
	var why *errUndecided
	switch {
	case errors.As(err, &why):
		p.Why = why.why
		return p, nil
	case err != nil:
		return nil, err
	}
	p.Template = t
	if err := p.prove(ctx); err != nil || p.Why != "" {
		return p, err
	}
	m, err := b.Build(ctx, inferred[0])
	if err != nil {
		return nil, err
	}
	constructor, err := b.Lock.Find(m)
	if err != nil {
		return nil, err
	}
	if err := uniform(m, constructor.Fn); err != nil {
		p.Levels, p.Why = nil, err.Error()
	}
	return p, nil
}

// templateOf infers the template of a lock and compares it with the source.
func templateOf(ctx context.Context, b *source.Builder) (*Template, error) {
	var few []*learned
	for _, n := range inferred {
		l, err := learn(ctx, b, n)
		if err != nil {
			return nil, err
		}
		few = append(few, l)
	}
	t, groups, err := infer(few)
	if err != nil {
		return nil, err
	}
	if len(t.Locations) >= noRef {
		return nil, undecided("the template has %d locations, more than the %d of a view", len(t.Locations), noRef-1)
	}
	for i, n := range Compared {
		var l *learned
		if i < len(few) {
			l = few[i]
		} else if l, err = learn(ctx, b, n); err != nil {
			return nil, err
		}
		if err := t.match(l, groups); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// prove finds views that prove mutual exclusion of the template.
func (p *Proof) prove(ctx context.Context) error {
	for _, s := range sizes {
		before := *p
		p.Size, p.Levels, p.Failure = s.size, nil, nil
		for size := 2; size <= s.size && p.Failure == nil; size++ {
			level, failure, err := p.Template.prove(ctx, size, size < s.size, s.most)
			if err != nil {
				return err
			}
			if p.Failure = failure; failure == nil {
				p.Levels = append(p.Levels, *level)
			}
		}
		if p.Failure == nil {
			p.Why = ""
			return nil
		}
		p.Levels, p.Why = nil, p.Failure.Why
		if before.Failure != nil && p.Failure.View == "" {
			// A bound is no reason to forget what was found before.
			p.Size, p.Failure, p.Why = before.Size, before.Failure, before.Why+"; "+p.Why
		}
	}
	return nil
}
