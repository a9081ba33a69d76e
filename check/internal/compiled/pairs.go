package compiled

import (
	"fmt"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/replay/harness"
	"shmbench/internal/build/twin"
)

// pairs maps addresses of the compiled lock to cells of the interpreter. The targets of
// pointers have a map of their own: a struct may begin before its first cell, with a
// field that has no name. An object that is a slot for allocations of processes is one
// variable after another; the compiled lock keeps them all, so that no address stands for
// two.
type pairs struct{ cells, pointers pairing }

type pairing struct {
	cell map[uint64]interp.Ptr
	addr map[interp.Ptr]uint64
}

func newPairs() *pairs { return &pairs{newPairing(), newPairing()} }

func newPairing() pairing {
	return pairing{map[uint64]interp.Ptr{0: {}}, map[interp.Ptr]uint64{{}: 0}}
}

// match pairs an address with a cell, or checks that they are a pair.
func (p pairing) match(addr uint64, cell interp.Ptr) bool {
	known, ok := p.cell[addr]
	back, ok2 := p.addr[cell]
	if !ok && !ok2 {
		p.cell[addr], p.addr[cell] = cell, addr
		return true
	}
	return ok && ok2 && known == cell && back == addr
}

// forget makes room for a new variable in the place of an object.
func (p pairing) forget(obj int32) {
	for cell, addr := range p.addr {
		if cell.Obj == obj {
			delete(p.addr, cell)
			delete(p.cell, addr)
		}
	}
}

// differs says how an event of the compiled code differs from the
// interpreter's, or returns "".
func (p *pairs) differs(got harness.Event, want expected) string {
	for _, obj := range want.shared {
		p.cells.forget(obj)
		p.pointers.forget(obj)
	}
	op, at, plain := want.quiet.Op, want.quiet.At, want.quiet.Op != interp.Pass
	if want.access != nil {
		op, at, plain = want.access.Op, want.access.At, want.access.Plain
	}
	switch {
	case want.crashed && got.Op == harness.Crashed:
		return ""
	case want.crashed || got.Op == harness.Crashed:
		return Does(got.Op)
	case want.flushed && got.Op == harness.Flushed:
	case op == interp.Call && got.Op == harness.Called, op == interp.Poll && got.Op == harness.Polled:
		return ""
	case uint8(got.Op) != uint8(op):
		return Does(got.Op)
	case got.Op == 0 && !p.same(got.After, want.quiet.Value):
		return "the result is " + text(got.After)
	case got.Op == 0:
		return ""
	case got.Plain != plain:
		return "one access is atomic and the other is plain"
	case !p.cells.match(got.Addr, at):
		return "another register"
	case want.access != nil && !p.same(word(want.access, got.Before), value(want.access, want.before)):
		return "the value before is " + text(got.Before)
	case want.access != nil && !p.same(word(want.access, got.After), value(want.access, want.after)):
		return "the value after is " + text(got.After)
	case want.access == nil && !p.same(got.After, want.quiet.Value):
		return "the value is " + text(got.After)
	}
	return ""
}

// Does says what the compiled code does in an event.
func Does(op twin.Op) string {
	switch op {
	case 0:
		return "the call ends"
	case harness.Called:
		return "the process chooses the call of its next passage"
	case harness.Polled:
		return "giveUp is called"
	case harness.Crashed:
		return "the process crashes"
	case harness.Flushed:
		return "a store leaves the buffer"
	}
	return "operation " + interp.Op(op).String()
}

// word and value give a number the sign of the access that sees it.
func word(a *interp.Access, v harness.Value) harness.Value {
	if v.Kind == harness.Number {
		v.Bits = uint64(a.Word(interp.Num(v.Bits)))
	}
	return v
}

func value(a *interp.Access, v interp.Value) interp.Value {
	if n, ok := v.(interp.Num); ok {
		return a.Word(n)
	}
	return v
}

func text(v harness.Value) string {
	if v.Kind == harness.Text {
		return fmt.Sprintf("%q", v.Text)
	}
	return fmt.Sprint(v.Bits)
}

// same reports whether two values are the same, as far as both are known.
func (p *pairs) same(got harness.Value, want interp.Value) bool {
	switch want := want.(type) {
	case interp.Num:
		return got.Kind == harness.Number && got.Bits == uint64(want)
	case interp.Count:
		return got.Kind == harness.Number && got.Bits%want.M == want.N && (want.Lap == 0 || (want.Lap == interp.FirstLap) == (got.Bits < want.M))
	case interp.Ptr:
		return p.pointer(got, want)
	case interp.Slice:
		if got.Kind == harness.Sizeless { // a slice with a length is not nil, and any without room may be
			return got.Len == int(want.Len) && (got.Bits != 0) == (want.P.Obj != 0)
		}
		return got.Kind == harness.Slices && got.Len == int(want.Len) && (got.Cap == int(want.Cap) || want.Grown && got.Cap > int(want.Cap)) &&
			(got.Cap == 0 || p.pointer(got, want.P))
	case string:
		return got.Kind == harness.Text && got.Text == want
	case *interp.Closure:
		return got.Kind == harness.Other && (got.Bits != 0) == (want != nil)
	case interp.Iface:
		return got.Kind == harness.Other && (got.Bits != 0) == (want.T != nil)
	}
	return true
}

// pointer compares an address with a pointer. The objects of a process's own
// have no fixed number, and those without a size no address.
func (p *pairs) pointer(got harness.Value, want interp.Ptr) bool {
	switch {
	case want.Obj < 0 || got.Kind == harness.Other:
		return got.Bits != 0 && want.Obj != 0
	case got.Kind != harness.Address && got.Kind != harness.Slices:
		return false
	}
	return p.pointers.match(got.Bits, want)
}
