package check

import (
	"fmt"
	"io"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Dot says what to draw of each lock that is checked, in Graphviz's language.
type Dot struct {
	W io.Writer
	// Process is the process whose automaton is drawn; -1 draws the graph of
	// all states.
	Process int
}

// mostDrawn is the most states that a drawing has.
const mostDrawn = 5000

func (c *checking) draw() error {
	d := c.o.Dot
	switch {
	case d == nil:
		return nil
	case d.Process >= c.r.N:
		return fmt.Errorf("%s, n=%d: there is no process %d to draw", c.name, c.r.N, d.Process)
	case d.Process >= 0:
		return c.drawProcess(d.W, d.Process)
	case c.g.States > mostDrawn:
		return fmt.Errorf("%s, n=%d: the graph has %d states, too many to draw (the most is %d); draw one process instead",
			c.name, c.r.N, c.g.States, mostDrawn)
	}
	return c.drawStates(d.W)
}

// line is a local state as its section and the pseudo-code line that is next.
func (c *checking) line(pid int, s int32) string {
	p := c.lock.Model.Procs[pid]
	if len(p.Members[s]) == 0 {
		return "finished"
	}
	st := c.lock.Learner.Procs[pid].States[p.Members[s][0]]
	if st.Fault != nil {
		return st.Fault.Error()
	}
	pos, label := c.lock.Learner.M.Place(st)
	if label == "" {
		_, line := c.lock.Learner.M.Prog.Place(pos)
		label = fmt.Sprintf("line %d", line)
	}
	return st.Section.String() + " " + label
}

// drawProcess draws a process's automaton: a state is the access that is next,
// and an edge says what was in the register, and what is after it.
func (c *checking) drawProcess(w io.Writer, pid int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n\tnode [shape=box]\n", fmt.Sprintf("%s, n=%d, process %d", c.name, c.r.N, pid))
	for s, l := range c.lock.Model.Procs[pid].Local {
		what := ""
		if l.Reg >= 0 && l.Kind != 0 {
			st := c.lock.Learner.Procs[pid].States[c.lock.Model.Procs[pid].Members[s][0]]
			what = fmt.Sprintf("\n%s %s", st.Access.Op, c.names.Cell(st.Access.At))
		}
		style := ""
		if l.Section == interp.Critical {
			style = ", peripheries=2"
		}
		fmt.Fprintf(&b, "\ts%d [label=%q%s]\n", s, c.line(pid, int32(s))+what, style)
		for v, m := range l.Moves {
			label := ""
			if l.Kind != 0 {
				r := c.lock.Model.Regs[l.Reg]
				label = c.names.Value(r.At, r.Values[v])
				if m.Value >= 0 && int(m.Value) != v {
					label += " -> " + c.names.Value(r.At, r.Values[m.Value])
				}
			}
			fmt.Fprintf(&b, "\ts%d -> s%d [label=%q]\n", s, m.State, label)
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// drawStates draws all states: where each process is and what each register
// holds; an edge says whose step it is.
func (c *checking) drawStates(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n\tnode [shape=box]\n", fmt.Sprintf("%s, n=%d", c.name, c.r.N))
	for id := range uint32(c.g.States) {
		state := c.g.State(id)
		var label strings.Builder
		for pid := range c.r.N {
			fmt.Fprintf(&label, "%d: %s\n", pid, c.line(pid, c.sys.Procs[pid].Of(state)))
		}
		for r, reg := range c.lock.Model.Regs {
			if reg.At != (interp.Ptr{}) {
				fmt.Fprintf(&label, "%s = %s\n", c.names.Cell(reg.At), c.names.Value(reg.At, reg.Values[c.sys.Regs[r].Of(state)]))
			}
		}
		fmt.Fprintf(&b, "\ts%d [label=%q]\n", id, strings.TrimSpace(label.String()))
		for pid := range c.r.N {
			if to := c.g.Next(id, pid); to != explore.None {
				fmt.Fprintf(&b, "\ts%d -> s%d [label=\"%d\"]\n", id, to, pid)
			}
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
