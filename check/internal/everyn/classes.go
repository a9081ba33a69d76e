package everyn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// node is a local state of a process, with the location and the cursor of the template.
type node struct {
	l      *learned
	p      *process
	s      *state
	group  *group // nil if the access is on nothing
	place  Place
	class  int
	cursor int
	steps  []step // by value of the cell
}

// step is what a node does for a value.
type step struct {
	read, write value
	kept        bool // write is read
	to          *node
}

// origin is what the next cursor is found from.
func (n *node) origin(s step) origin { return origin{n.l.n, n.p.self, n.cursor, s.read.id} }

// nodes returns the local states of a process.
func nodes(l *learned, p *process, groups map[string]*group) (out []*node, err error) {
	for i := range p.states {
		s := &p.states[i]
		n := &node{l: l, p: p, s: s, place: AtNothing, cursor: noID}
		if s.cell >= 0 && l.cells[s.cell].base != "" {
			n.group = groupOf(groups, l.cells[s.cell])
			n.place = n.group.place
		}
		out = append(out, n)
	}
	for _, n := range out {
		if n.steps, err = n.stepsOf(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (n *node) stepsOf(of []*node) (steps []step, err error) {
	for v, m := range n.s.moves {
		if m.to < 0 {
			return nil, undecided("at n=%d line %s was not learned for every value", n.l.n, n.s.name)
		}
		s := step{read: value{0, noID}, write: value{0, noID}, kept: true, to: of[m.to]}
		if n.group != nil {
			values := n.l.cells[n.s.cell].values
			if s.read, err = n.group.of(n.l.n, values[v]); err != nil {
				return nil, err
			}
			if s.write, err = n.group.of(n.l.n, values[m.write]); err != nil {
				return nil, err
			}
			s.kept = s.read == s.write
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// classify finds the class of each node, which becomes a location, and the cursor. Nodes of
// one class are at the same place of the source. An access to an array has its index as the
// cursor, unless each process accesses its own cell there.
func classify(all []*node) error {
	number := map[string]int{}
	others := map[int]bool{} // classes whose accesses are not only to own cells
	for _, n := range all {
		key := n.s.stack
		if n.group != nil {
			key += n.group.name
		}
		if _, ok := number[key]; !ok {
			number[key] = len(number)
		}
		n.class = number[key]
		if n.place == AtOwn && n.l.cells[n.s.cell].index != n.p.self {
			others[n.class] = true
		}
	}
	for _, n := range all {
		if others[n.class] {
			n.place, n.cursor = AtCursor, n.l.cells[n.s.cell].index
		}
	}
	writesIDs(all)
	for next := len(number); ; next = afterLast(all) {
		unclear := ambiguous(all)
		if len(unclear) == 0 {
			return nil
		}
		if slices.ContainsFunc(unclear, remembers) {
			continue
		}
		if !slices.ContainsFunc(unclear, func(of []*node) bool { return split(of, next) }) {
			return undecided("on line %s a process remembers more than one id", unclear[0][0].s.name)
		}
	}
}

// writesIDs gives the nodes of a class without cursors the ids that they write, unless each
// process writes its own id.
func writesIDs(all []*node) {
	for _, of := range byClass(all) {
		ids, others := make([]int, len(of)), false
		for i, n := range of {
			ids[i] = n.written()
			others = others || ids[i] != n.p.self
		}
		if of[0].cursor == noID && others && !slices.Contains(ids, noID) {
			for i, n := range of {
				n.cursor = ids[i]
			}
		}
	}
}

// written returns the one id that a node writes, whatever it reads, or noID.
func (n *node) written() int {
	id := noID
	for _, s := range n.steps {
		switch {
		case s.kept:
		case s.write.id == noID || id != noID && s.write.id != id:
			return noID
		default:
			id = s.write.id
		}
	}
	return id
}

func afterLast(all []*node) int {
	return slices.MaxFunc(all, func(a, b *node) int { return cmp.Compare(a.class, b.class) }).class + 1
}

// byClass returns the nodes of each class.
func byClass(all []*node) map[int][]*node {
	classes := map[int][]*node{}
	for _, n := range all {
		classes[n.class] = append(classes[n.class], n)
	}
	return classes
}

// ambiguous returns the classes in which a process has several states with the same cursor.
func ambiguous(all []*node) (out [][]*node) {
	type spot struct{ n, self, cursor, class int }
	seen := map[spot]bool{}
	twice := map[int]bool{}
	for _, n := range all {
		at := spot{n.l.n, n.p.self, n.cursor, n.class}
		twice[n.class] = twice[n.class] || seen[at]
		seen[at] = true
	}
	classes := byClass(all)
	for class := range afterLast(all) {
		if twice[class] {
			out = append(out, classes[class])
		}
	}
	return out
}

// remembers gives the nodes of a class the cursors of their successors, if these tell the
// nodes apart. It reports whether that is so.
func remembers(of []*node) bool {
	if of[0].cursor != noID {
		return false
	}
	for _, first := range of[0].steps {
		on := first.read.on(of[0].p.self)
		cursors := make([]int, len(of))
		type spot struct{ n, self, cursor int }
		seen := map[spot]bool{}
		for i, n := range of {
			cursors[i] = noID
			for _, s := range n.steps {
				if s.read.on(n.p.self) == on && s.to.cursor != s.read.id {
					cursors[i] = s.to.cursor
				}
			}
			seen[spot{n.l.n, n.p.self, cursors[i]}] = cursors[i] != noID
		}
		if len(seen) == len(of) && !slices.Contains(cursors, noID) {
			for i, n := range of {
				n.cursor = cursors[i]
			}
			return true
		}
	}
	return false
}

// split parts a class by the classes to which its nodes lead. It reports whether there are
// several parts. The new classes are numbered from next on.
func split(of []*node, next int) bool {
	parts := map[string]int{}
	part := make([]string, len(of))
	for i, n := range of {
		var leads []string
		for _, s := range n.steps {
			leads = append(leads, fmt.Sprint(s.read.on(n.p.self), s.to.class))
		}
		slices.Sort(leads)
		part[i] = strings.Join(slices.Compact(leads), ",")
		if _, ok := parts[part[i]]; !ok {
			parts[part[i]] = len(parts)
		}
	}
	for i, n := range of {
		if k := parts[part[i]]; k > 0 {
			n.class = next + k - 1
		}
	}
	return len(parts) > 1
}
