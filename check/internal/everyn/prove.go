package everyn

import (
	"context"
	"fmt"
)

// mostWork is the most larger views that a search looks at.
const mostWork = 2_000_000

// Level has all views of Size processes. If Alone is true, these are all processes there are.
type Level struct {
	Size  int
	Alone bool
	Views []View
}

// prover finds the least set of views of one size that has the initial ones and is closed
// under steps.
type prover struct {
	t     *Template
	moves func(v View, m int, alone bool, to []View) ([]View, *stuck)
	lay   layout
	size  int
	alone bool
	most  int // views
	work  int // larger views that may still be looked at
	known map[View]bool
	views []View
	// common has, by the place of a member and the view without it, the views that have it there.
	common map[shared][]View

	// Memory that join, allKnown and steps use again.
	first, last, scratch []byte
	joined               []View
}

// shared is a view of all but one member, which is at a place.
type shared struct {
	place int
	view  View
}

// Failure says why views do not prove mutual exclusion. If a bound was reached, there is no View
// and no Step.
type Failure struct {
	Why  string
	View string // the view, in words
	Step string // the step to it
}

// prove returns the views of so many processes, or why they prove nothing.
func (t *Template) prove(ctx context.Context, size int, alone bool, most int) (*Level, *Failure, error) {
	return t.prover(size, alone, most).run(ctx)
}

func (t *Template) prover(size int, alone bool, most int) *prover {
	return &prover{t: t, moves: t.moves, lay: t.layout(), size: size, alone: alone, most: most, work: mostWork, known: map[View]bool{}, common: map[shared][]View{}}
}

func (p *prover) run(ctx context.Context) (*Level, *Failure, error) {
	for _, v := range p.t.initial(p.size, p.alone) {
		if f := p.add(v, func() string { return "the initial state" }); f != nil {
			return nil, f, nil
		}
	}
	for i := 0; i < len(p.views); i++ {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if f := p.expand(p.views[i]); f != nil {
			return nil, f, nil
		}
	}
	return &Level{p.size, p.alone, p.views}, nil, nil
}

// add adds a view.
func (p *prover) add(v View, step func() string) *Failure {
	if p.known[v] {
		return nil
	}
	p.known[v] = true
	p.views = append(p.views, v)
	inside := 0
	for m := range p.size {
		if p.t.Locations[v[p.lay.member(m)]].Critical {
			inside++
		}
	}
	switch {
	case inside > 1:
		return &Failure{"two processes are in the critical section", p.t.describe(v), step()}
	case len(p.views) > p.most:
		return &Failure{Why: fmt.Sprintf("there are more than %d views of %d processes", p.most, p.size)}
	}
	if !p.alone {
		for m := range p.size {
			key := shared{m, p.lay.drop(v, m)}
			p.common[key] = append(p.common[key], v)
		}
	}
	return nil
}

// expand adds the views after the steps from a view and from the larger views that have it.
func (p *prover) expand(v View) *Failure {
	if f := p.steps(v, nil); f != nil || p.alone {
		return f
	}
	for place := range p.size + 1 {
		if f := p.larger(v, place); f != nil {
			return f
		}
	}
	return nil
}

// steps adds the views after the steps from a view. Of a larger one it adds all views that have
// one member fewer.
func (p *prover) steps(v View, buffer []View) *Failure {
	members := p.lay.members(v)
	for m := range members {
		step := func() string { return p.t.step(v, m) }
		after, stuck := p.moves(v, m, p.alone, buffer[:0])
		if stuck != nil {
			return &Failure{stuck.why, p.t.describe(v), step()}
		}
		for _, w := range after {
			if members == p.size {
				if f := p.add(w, step); f != nil {
					return f
				}
				continue
			}
			for left := range members {
				p.scratch = p.lay.appendDropped(p.scratch[:0], w, left)
				if p.known[View(p.scratch)] {
					continue
				}
				if f := p.add(View(p.scratch), step); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

// larger makes the steps from each larger view that becomes v without the member at a place. All
// views of the larger view must be known.
func (p *prover) larger(v View, place int) *Failure {
	other := 0 // a member of v that the other view lacks, in the larger view
	if place == 0 {
		other = 1
	}
	inV, inOther := other, place
	if other > place {
		inV--
	} else {
		inOther--
	}
	buffer := make([]View, 0, 8)
	// New views may come while this goes on. They are expanded themselves.
	for _, w := range p.common[shared{inOther, p.lay.drop(v, inV)}] {
		for _, e := range p.join(v, place, w, other) {
			if p.work--; p.work < 0 {
				return &Failure{Why: fmt.Sprintf("the search for views of %d processes ended after %d larger views", p.size, mostWork)}
			}
			if p.allKnown(e, place, other) {
				if f := p.steps(e, buffer); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

// join returns the views that are v without member a, and w without member b, in their order.
func (p *prover) join(v View, a int, w View, b int) []View {
	size := p.lay.size(p.size + 1)
	p.first, p.last = p.first[:0], p.last[:0]
	iv, iw := 0, 0
	for i := range size {
		var first, last byte
		switch {
		case i >= p.lay.member(a) && i < p.lay.member(a+1):
			first, last = with(w[iw], b)
			iw++
		case i >= p.lay.member(b) && i < p.lay.member(b+1):
			first, last = with(v[iv], a)
			iv++
		default:
			first, last = with(v[iv], a)
			for first <= last && without(first, b) != w[iw] {
				first++
			}
			for first < last && without(last, b) != w[iw] {
				last--
			}
			if first > last {
				return nil
			}
			iv++
			iw++
		}
		p.first, p.last = append(p.first, first), append(p.last, last)
	}
	p.joined = p.joined[:0]
	out := append(p.scratch[:0], p.first...)
	p.scratch = out
	for {
		p.joined = append(p.joined, View(out))
		i := size - 1
		for ; i >= 0 && out[i] == p.last[i]; i-- {
			out[i] = p.first[i]
		}
		if i < 0 {
			return p.joined
		}
		out[i]++
	}
}

// allKnown reports whether the views without each member other than a and b are known.
func (p *prover) allKnown(e View, a, b int) bool {
	for m := range p.size + 1 {
		if m == a || m == b {
			continue
		}
		if p.scratch = p.lay.appendDropped(p.scratch[:0], e, m); !p.known[View(p.scratch)] {
			return false
		}
	}
	return true
}
