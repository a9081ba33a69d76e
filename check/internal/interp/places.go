package interp

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// where is the position of the instruction that is executed.
func (f *frame) where() token.Pos {
	instrs := f.f.fn.Blocks[f.block].Instrs
	if _, ok := instrs[f.pc].(*ssa.RunDefers); ok && f.at.IsValid() {
		return f.at
	}
	return position(instrs, f.pc)
}

// Where returns the file, line and function of the next access.
func (m *Machine) Where(s *State) string {
	pos, _ := m.Place(s)
	f := Fault{Pos: pos, prog: m.Prog}
	f.In = (&run{m: m, st: s}).function(pos)
	return f.place()
}

// Place returns where in the source the next access is, and its pseudo-code
// label: that of the innermost line on the call stack that has one.
func (m *Machine) Place(s *State) (pos token.Pos, label string) {
	if s.Fault != nil {
		return s.Fault.Pos, ""
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		f := s.frames[i]
		at := f.where()
		if !pos.IsValid() {
			pos = at
		}
		if label == "" {
			label = m.Prog.Label(at)
		}
	}
	return pos, label
}

// Labels returns the labels of the lines that are being executed, each within the one
// before it, as "3/2".
func (m *Machine) Labels(s *State) string {
	var labels []string
	if s.Fault != nil {
		return ""
	}
	for _, f := range s.frames {
		if label := m.Prog.Label(f.where()); label != "" {
			labels = append(labels, label)
		}
	}
	return strings.Join(labels, "/")
}

// Stack names the instruction that makes the next access and the calls that led to it.
func (m *Machine) Stack(s *State) string {
	var at strings.Builder
	for _, f := range s.frames {
		fmt.Fprintf(&at, "%s %d.%d\n", f.f.fn, f.block, f.pc)
	}
	return at.String()
}
