package check

import (
	"fmt"
	"io"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/verdict"
)

// Dot selects the drawing of each lock that is checked, in Graphviz's language.
type Dot struct {
	W io.Writer
	// Process is the process whose automaton is drawn. -1 draws the graph of all
	// states.
	Process int
}

// mostDrawn is the largest number of states in a drawing.
const mostDrawn = 5000

func draw(x *explored.Lock, d *Dot) error {
	switch {
	case d == nil:
		return nil
	case d.Process >= x.N:
		return fmt.Errorf("%s, n=%d: there is no process %d to draw", x.Source.Name, x.N, d.Process)
	case d.Process >= 0:
		return drawProcess(x, d.W, d.Process)
	case x.Graph.States > mostDrawn:
		return fmt.Errorf("%s, n=%d: the graph has %d states, too many to draw (the most is %d); draw one process instead",
			x.Source.Name, x.N, x.Graph.States, mostDrawn)
	}
	return drawStates(x, d.W)
}

// lineOf returns the text of a local state: its section and the next
// pseudo-code line.
func lineOf(x *explored.Lock, pid int, s int32) string {
	p := x.Learned.Model.Procs[pid]
	if len(p.Members[s]) == 0 {
		return "finished"
	}
	st := x.Learned.Learner.Procs[pid].States[p.Members[s][0]]
	if st.Fault != nil {
		return st.Fault.Error()
	}
	pos, label := x.Learned.Learner.M.Place(st)
	if label == "" {
		_, line := x.Learned.Learner.M.Prog.Place(pos)
		label = fmt.Sprintf("line %d", line)
	}
	return st.Section.String() + " " + label
}

// drawProcess draws a process's automaton. A state shows the next access. An
// edge shows the value of the register before and after the access.
func drawProcess(x *explored.Lock, w io.Writer, pid int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n\tnode [shape=box]\n", fmt.Sprintf("%s, n=%d, process %d", x.Source.Name, x.N, pid))
	for s, l := range x.Learned.Model.Procs[pid].Local {
		what := ""
		if l.Reg >= 0 && l.Kind != 0 {
			st := x.Learned.Learner.Procs[pid].States[x.Learned.Model.Procs[pid].Members[s][0]]
			what = fmt.Sprintf("\n%s %s", st.Access.Op, x.Names.Cell(st.Access.At))
		}
		style := ""
		if l.Section == interp.Critical {
			style = ", peripheries=2"
		}
		fmt.Fprintf(&b, "\ts%d [label=%q%s]\n", s, lineOf(x, pid, int32(s))+what, style)
		for _, to := range l.Binds {
			fmt.Fprintf(&b, "\ts%d -> s%d [label=%q]\n", s, to.State, "shares "+slotNames(x, to))
		}
		for v, m := range l.Moves {
			if m.State < 0 {
				continue
			}
			label := ""
			if l.Kind != 0 {
				r := x.Learned.Model.Regs[l.Reg]
				label = x.Names.Value(r.At, r.Values[v])
				if m.Value >= 0 && int(m.Value) != v {
					label += " -> " + x.Names.Value(r.At, r.Values[m.Value])
				}
			}
			fmt.Fprintf(&b, "\ts%d -> s%d [label=%q]\n", s, m.State, label)
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// slotNames names the memory that a process shares.
func slotNames(x *explored.Lock, b automaton.Bind) string {
	var names []string
	for _, s := range b.Slots {
		names = append(names, x.Names.Value(interp.Ptr{}, x.Learned.Learner.M.SlotCell(s, 0)))
	}
	return verdict.List(names)
}

// pendingText lists the stores in a process's buffer, the oldest first.
func pendingText(x *explored.Lock, state []uint64, pid int) string {
	var all []string
	for reg, value := range x.Memory.Pending(state, pid) {
		r := x.Learned.Model.Regs[reg]
		all = append(all, x.Names.Cell(r.At)+" := "+x.Names.Value(r.At, r.Values[value]))
	}
	return strings.Join(all, ", ")
}

// drawStates draws all states. A state shows the section of each process and
// the contents of each register and store buffer. An edge names the process
// that steps, or the process whose oldest buffered store reaches memory.
func drawStates(x *explored.Lock, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n\tnode [shape=box]\n", fmt.Sprintf("%s, n=%d", x.Source.Name, x.N))
	for id := range uint32(x.Graph.States) {
		state := x.Graph.State(id)
		var label strings.Builder
		for pid := range x.N {
			fmt.Fprintf(&label, "%d: %s\n", pid, lineOf(x, pid, x.Sys.Procs[pid].Of(state)))
		}
		for r, reg := range x.Learned.Model.Regs {
			if reg.At != (interp.Ptr{}) {
				fmt.Fprintf(&label, "%s = %s\n", x.Names.Cell(reg.At), x.Names.Value(reg.At, reg.Values[x.Sys.Regs[r].Of(state)]))
			}
		}
		for pid := range x.N {
			if pending := pendingText(x, state, pid); pending != "" {
				fmt.Fprintf(&label, "buffer of %d: %s\n", pid, pending)
			}
		}
		fmt.Fprintf(&b, "\ts%d [label=%q]\n", id, strings.TrimSpace(label.String()))
		for actor, to := range x.Graph.Successors(id) {
			switch {
			case to == explore.None:
			case actor < x.N:
				fmt.Fprintf(&b, "\ts%d -> s%d [label=\"%d\"]\n", id, to, actor)
			default:
				fmt.Fprintf(&b, "\ts%d -> s%d [label=\"buffer of %d\"]\n", id, to, actor-x.N)
			}
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
