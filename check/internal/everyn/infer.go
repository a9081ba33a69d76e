package everyn

import (
	"cmp"
	"slices"
)

// infer finds a template that does what the processes do which were learned for several n.
func infer(all []*learned) (*Template, map[string]*group, error) {
	groups, err := groups(all)
	if err != nil {
		return nil, nil, err
	}
	var found []*node
	for _, l := range all {
		for _, p := range l.procs {
			of, err := nodes(l, p, groups)
			if err != nil {
				return nil, nil, err
			}
			found = append(found, of...)
		}
	}
	if err := classify(found); err != nil {
		return nil, nil, err
	}
	t := &Template{}
	if err := t.registers(all, groups); err != nil {
		return nil, nil, err
	}
	return t, groups, t.locations(found)
}

// registers adds the registers, in the order of their names.
func (t *Template) registers(all []*learned, groups map[string]*group) error {
	for _, g := range groups {
		r := Register{Name: g.name, Constants: g.constants}
		if r.Constants == nil {
			r.Constants = []string{}
		}
		var err error
		if r.Initial, err = g.initial(all, groups); err != nil {
			return err
		}
		if g.place == AtShared {
			t.Shared = append(t.Shared, r)
		} else {
			t.Own = append(t.Own, r)
		}
	}
	for _, registers := range [][]Register{t.Shared, t.Own} {
		slices.SortFunc(registers, func(a, b Register) int { return cmp.Compare(a.Name, b.Name) })
		for i, r := range registers {
			groups[r.Name].number = i
		}
	}
	return nil
}

// initial returns the initial value of the cells of a group.
func (g *group) initial(all []*learned, groups map[string]*group) (int, error) {
	var of []int
	var first, own []bool // whether the value is the id of process 0, or of its owner
	for _, l := range all {
		for _, c := range l.cells {
			if c.base == "" || groupOf(groups, c) != g {
				continue
			}
			v, err := g.of(l.n, c.values[0])
			if err != nil {
				return 0, err
			}
			of = append(of, v.constant)
			first, own = append(first, v.id == 0), append(own, v.id >= 0 && v.id == c.index)
		}
	}
	switch same := len(slices.Compact(of)) == 1; {
	case same && of[0] >= 0:
		return of[0], nil
	case same && !slices.Contains(first, false):
		return FirstID, nil
	case same && g.place == AtOwn && !slices.Contains(own, false):
		return OwnID, nil
	}
	return 0, undecided("the initial values of register %s depend on n or on the process", g.name)
}

// locations adds a location for each class of nodes, and its rules.
func (t *Template) locations(all []*node) error {
	order := []int{all[0].class}
	for _, n := range all {
		if !slices.Contains(order, n.class) {
			order = append(order, n.class)
		}
		if n.s == &n.p.states[0] && n.class != order[0] {
			return undecided("processes begin at different places")
		}
	}
	classes, number := byClass(all), map[int]int{}
	for i, class := range order {
		number[class] = i
	}
	for _, class := range order {
		of := classes[class]
		l := Location{Name: of[0].s.name, Critical: of[0].s.critical, Cursor: of[0].cursor != noID, Access: Access{At: of[0].place}}
		if of[0].group != nil {
			l.Access.Register = of[0].group.number
		}
		cases := map[int][]seen{}
		var in []int
		for _, n := range of {
			for _, s := range n.steps {
				on := s.read.on(n.p.self)
				if cases[on] == nil {
					in = append(in, on)
				}
				cases[on] = append(cases[on], seen{n, s})
			}
		}
		slices.Sort(in)
		for _, on := range in {
			r, err := rule(on, cases[on], number)
			if err != nil {
				return err
			}
			l.Rules = append(l.Rules, r)
		}
		t.Locations = append(t.Locations, l)
	}
	return nil
}

// seen is a step of a node.
type seen struct {
	*node
	step
}

// rule finds the rule that all these steps of a location follow.
func rule(on int, steps []seen, number map[int]int) (Rule, error) {
	r := Rule{Read: on}
	write := slices.IndexFunc(writes(steps[0]), func(w int) bool {
		return !slices.ContainsFunc(steps, func(s seen) bool { return !slices.Contains(writes(s), w) })
	})
	if write < 0 {
		return r, undecided("no rule says what line %s writes for every n", steps[0].s.name)
	}
	r.Write = writes(steps[0])[write]
	targets, ok := choose(steps, number)
	if !ok {
		return r, undecided("no rule says for every n where a process goes from line %s", steps[0].s.name)
	}
	r.Goto = targets
	return r, nil
}

// writes returns the ways to say what a step writes.
func writes(s seen) (all []int) {
	if s.kept {
		all = append(all, Unchanged)
	}
	switch {
	case s.write.constant >= 0:
		return append(all, s.write.constant)
	case s.write.id == s.p.self:
		all = append(all, OwnID)
	}
	if s.write.id == s.cursor {
		all = append(all, CursorID)
	}
	return all
}

// choose finds a shortest list of targets that all steps follow: each step goes to the first
// target for whose cursor there is a process.
func choose(steps []seen, number map[int]int) ([]Target, bool) {
	for length := 1; length <= mostTargets; length++ {
		if t, ok := chooseAtMost(steps, number, length); ok {
			return t, true
		}
	}
	return nil, false
}

// mostTargets is the most targets of a rule: two loops and what follows them.
const mostTargets = 3

func chooseAtMost(steps []seen, number map[int]int, length int) ([]Target, bool) {
	if len(steps) == 0 {
		return nil, true
	}
	if length == 0 {
		return nil, false
	}
	tried := map[int]bool{}
	for _, s := range steps {
		to := s.to.class
		if tried[to] {
			continue
		}
		tried[to] = true
		for _, c := range cursors {
			rest, ok := follow(steps, to, c)
			if !ok {
				continue
			}
			if more, ok := chooseAtMost(rest, number, length-1); ok {
				return append([]Target{{number[to], c}}, more...), true
			}
		}
	}
	return nil, false
}

// follow returns the steps for which a cursor is not found. It returns false if a step for
// which the cursor is found goes to another class or cursor, or if there is no such step.
func follow(steps []seen, to int, c Cursor) (rest []seen, ok bool) {
	for _, s := range steps {
		id, found := c.find(s.origin(s.step))
		switch {
		case !found:
			rest = append(rest, s)
		case s.to.class != to || s.to.cursor != id:
			return nil, false
		default:
			ok = true
		}
	}
	return rest, ok
}
