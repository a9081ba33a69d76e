package everyn

import "fmt"

// match compares the template with the automata that were learned for one n. An error says
// where they differ.
func (t *Template) match(l *learned, groups map[string]*group) error {
	for _, c := range l.cells {
		if c.base == "" {
			continue
		}
		g := groupOf(groups, c)
		if g == nil {
			return undecided("at n=%d there is a register %s that the template lacks", l.n, nameOfCell(c.base, c.index))
		}
		v, err := g.of(l.n, c.values[0])
		if err != nil {
			return err
		}
		want := value{t.register(g).Initial, noID}
		switch want.constant {
		case FirstID:
			want = value{-1, 0}
		case OwnID:
			want = value{-1, c.index}
		}
		if v != want {
			return undecided("at n=%d the initial value of register %s is not that of the template", l.n, nameOfCell(c.base, c.index))
		}
	}
	for _, p := range l.procs {
		all, err := nodes(l, p, groups)
		if err != nil {
			return err
		}
		m := &matching{t: t, l: l, p: p, nodes: all, met: map[pair]bool{}}
		if err := m.run(); err != nil {
			return err
		}
	}
	return nil
}

// register returns the register of the template for a group.
func (t *Template) register(g *group) Register {
	if g.place == AtShared {
		return t.Shared[g.number]
	}
	return t.Own[g.number]
}

// pair is a place in the template and a state of the source that must do the same.
type pair struct{ location, cursor, state int }

// matching walks the template and a process of the source together.
type matching struct {
	t     *Template
	l     *learned
	p     *process
	nodes []*node
	met   map[pair]bool
	queue []pair
}

func (m *matching) meet(p pair) {
	if !m.met[p] {
		m.met[p] = true
		m.queue = append(m.queue, p)
	}
}

func (m *matching) run() error {
	for m.meet(pair{0, noID, 0}); len(m.queue) > 0; {
		p := m.queue[0]
		m.queue = m.queue[1:]
		if err := m.compare(p); err != nil {
			return undecided("the template differs from the source for process %d of %d on line %s: %v", m.p.self, m.l.n, m.p.states[p.state].name, err)
		}
	}
	return nil
}

// compare compares the access of a pair, and what follows it for each value.
func (m *matching) compare(p pair) error {
	at, n := m.t.Locations[p.location], m.nodes[p.state]
	if at.Critical != n.s.critical {
		return fmt.Errorf("only one of them is in the critical section")
	}
	if n.group == nil {
		if at.Access.At != AtNothing || len(n.steps) != len(at.Rules) { // neither has steps after a panic
			return fmt.Errorf("only one of them accesses a register")
		}
	} else {
		own := m.l.cells[n.s.cell].index
		index := own
		switch at.Access.At {
		case AtOwn:
			index = m.p.self
		case AtCursor:
			index = p.cursor
		}
		if at.Access.At == AtNothing || (at.Access.At == AtShared) != (n.place == AtShared) || at.Access.Register != n.group.number || index != own {
			return fmt.Errorf("they access different registers")
		}
	}
	for v, s := range n.steps {
		if err := m.follow(p, s, n.s.moves[v].to); err != nil {
			return err
		}
	}
	return nil
}

// follow compares a step for a value: what the source writes, and where it goes.
func (m *matching) follow(p pair, s step, to int) error {
	at := m.t.Locations[p.location]
	r := at.rule(s.read, m.p.self)
	if r == nil {
		return fmt.Errorf("the template has no rule for a value")
	}
	want := value{r.Write, noID}
	switch r.Write {
	case Unchanged:
		want = s.read
	case OwnID:
		want = value{-1, m.p.self}
	case CursorID:
		want = value{-1, p.cursor}
	}
	if s.write != want {
		return fmt.Errorf("they write different values")
	}
	for _, target := range r.Goto {
		id, found := target.Cursor.find(origin{m.l.n, m.p.self, p.cursor, s.read.id})
		if found {
			m.meet(pair{target.Location, id, to})
			return nil
		}
	}
	return fmt.Errorf("the template goes nowhere")
}

// rule returns the rule for a value that process self reads, or nil.
func (l Location) rule(read value, self int) *Rule {
	on := read.on(self)
	for i := range l.Rules {
		if l.Rules[i].Read == on {
			return &l.Rules[i]
		}
	}
	return nil
}
