package interp

import (
	"fmt"
	"go/token"
	"regexp"

	"shmbench/check/internal/load"
)

// A Fault is why a process cannot go on.
type Fault struct {
	// Refused: the code does what cannot be modeled. Otherwise the code
	// itself fails: it panics, or, if Endless, runs forever without a shared
	// access. Open: it was stopped at a bound; Refused is set as well. Outcome: Recover
	// has returned an unknown outcome.
	Refused bool
	Endless bool
	Open    bool
	Outcome bool
	Msg     string
	Pos     token.Pos
	In      string // the function that Pos is in, as the main package calls it
	prog    *load.Program
}

// Error says the fault and its file, line and function.
func (f *Fault) Error() string {
	if !f.Pos.IsValid() || f.prog == nil {
		return f.Msg
	}
	return f.place() + ": " + f.Msg
}

// place is the file, line and function of the fault.
func (f *Fault) place() string {
	file, line := f.prog.Place(f.Pos)
	if f.In == "" {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d: %s", file, line, f.In)
}

// reclassified unwinds a run that has shown that a cell is not what it was
// taken for; everything learned under that assumption is void.
type reclassified struct{}

// interrupted unwinds a run whose context is done.
type interrupted struct{ err error }

func (r *run) fault(f Fault, format string, args []any) {
	f.Msg, f.prog = fmt.Sprintf(format, args...), r.m.Prog
	if !f.Pos.IsValid() {
		f.Pos = r.where()
	}
	f.In = r.function(f.Pos)
	panic(&f)
}

// fail ends the run because the code would crash.
func (r *run) fail(format string, args ...any) { r.fault(Fault{}, format, args) }

// refuse ends the run because the code cannot be modeled.
func (r *run) refuse(format string, args ...any) { r.fault(Fault{Refused: true}, format, args) }

// hang ends the run because the code would never come back.
func (r *run) hang(format string, args ...any) {
	r.fault(Fault{Endless: true, Pos: r.turns.at}, format, args)
}

// where is the position of the innermost call into source that has one.
func (r *run) where() token.Pos {
	for i := len(r.st.frames) - 1; i >= 0; i-- {
		f := r.st.frames[i]
		if pos := f.where(); pos.IsValid() {
			return pos
		}
	}
	return r.pos
}

// folders are those that packages are in.
var folders = regexp.MustCompile(`[^(*\[,]*/`)

// function names the innermost function that runs and has a position in it.
func (r *run) function(pos token.Pos) string {
	for i := len(r.st.frames) - 1; i >= 0; i-- {
		fn := r.st.frames[i].f.fn
		if s := fn.Syntax(); s == nil || pos < s.Pos() || pos >= s.End() {
			continue
		}
		for fn.Parent() != nil { // a function literal is in one that has a name
			fn = fn.Parent()
		}
		return folders.ReplaceAllString(fn.RelString(r.m.Prog.Main.Pkg), "")
	}
	return ""
}
