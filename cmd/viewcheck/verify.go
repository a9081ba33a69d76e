package main

import (
	"fmt"
	"slices"
)

// verify returns an error if the certificate does not prove mutual exclusion of its template.
func (c *certificate) verify() error {
	for i, l := range c.Levels {
		k := &checking{t: &c.Template, shape: shape{len(c.Template.Shared), 2 + len(c.Template.Own)},
			size: l.Size, alone: i < len(c.Levels)-1, known: map[view]bool{}}
		for _, v := range l.Views {
			k.known[viewOf(v)] = true
		}
		if err := k.run(); err != nil {
			return fmt.Errorf("views of %d processes: %w", l.Size, err)
		}
	}
	return nil
}

func viewOf(v []int) view {
	out := make([]byte, len(v))
	for i, x := range v {
		out[i] = byte(x)
	}
	return view(out)
}

// checking checks the views of one level. If alone is true, there are no processes but the
// members.
type checking struct {
	t *template
	shape
	size  int
	alone bool
	known map[view]bool
}

func (k *checking) run() error {
	for _, v := range k.initial() {
		if !k.known[v] {
			return fmt.Errorf("the initial view %v is not among them", []byte(v))
		}
	}
	after := map[view][]view{} // by the view without the last member
	for v := range k.known {
		inside := 0
		for m := range k.size {
			if k.t.Locations[v[k.field(m, 0)]].Critical {
				inside++
			}
		}
		if inside > 1 {
			return fmt.Errorf("in %v two processes are in the critical section", []byte(v))
		}
		last := k.leave(v, k.size-1)
		after[last] = append(after[last], v)
	}
	for v := range k.known {
		if err := k.closed(v); err != nil {
			return err
		}
		if k.alone {
			continue
		}
		var err error
		for _, w := range after[k.leave(v, 0)] {
			k.join(v, w, k.size, func(e view) {
				if err == nil && k.all(e) {
					err = k.closed(e)
				}
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// all reports whether all views of a larger view are known.
func (k *checking) all(e view) bool {
	for m := range k.size + 1 {
		if !k.known[k.leave(e, m)] {
			return false
		}
	}
	return true
}

// closed returns an error if a step leads from a view, or a larger one, to views that are not
// known.
func (k *checking) closed(v view) error {
	members := (len(v) - k.shared) / k.each
	for m := range members {
		next, err := k.t.after(k.shape, v, m, k.alone)
		if err != nil {
			return fmt.Errorf("in %v: %w", []byte(v), err)
		}
		for _, w := range next {
			if members == k.size && !k.known[w] || members > k.size && !k.all(w) {
				return fmt.Errorf("they are not closed: a step of process %d leads from %v to %v", m, []byte(v), []byte(w))
			}
		}
	}
	return nil
}

// initial returns the initial views: process 0 is a member or not.
func (k *checking) initial() (all []view) {
	firsts := []byte{ref + 1, ref}
	if k.alone {
		firsts = firsts[:1]
	}
	for _, first := range firsts {
		var v []byte
		for _, r := range k.t.Shared {
			v = append(v, initially(r.Initial, first, none))
		}
		for m := range k.size {
			v = append(v, 0, none)
			for _, r := range k.t.Own {
				v = append(v, initially(r.Initial, first, byte(ref+2*m+1)))
			}
		}
		if !slices.Contains(all, view(v)) {
			all = append(all, view(v))
		}
	}
	return all
}

func initially(value int, first, own byte) byte {
	switch value {
	case firstID:
		return first
	case ownID:
		return own
	}
	return byte(value)
}
