package interp

import (
	"encoding/binary"
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"shmbench/shm"
)

// Section is the part of its cycle that a process is in.
type Section uint8

// The sections. A process is in Remainder until the first access of its Lock,
// in Critical from the last access of Lock to the first of Unlock.
const (
	Remainder Section = iota
	Entry
	Critical
	Exit
)

// String returns the section's name.
func (s Section) String() string {
	return [...]string{"remainder", "entry", "critical", "exit"}[s]
}

// Op is the kind of an access.
type Op uint8

// The accesses. Pass touches nothing: it is the one step of a Lock or Unlock
// without any access. Nor do Call, by which a process decides in which mode
// it makes a passage, and Poll, by which it decides whether it gives up.
const (
	Pass Op = iota
	Load
	Store
	Swap
	CompareAndSwap
	Add
	And
	Or
	StoreRelease // a store without a fence behind it
	Call
	Poll
)

var opNames = [...]string{"pass", "load", "store", "swap", "compare-and-swap", "add", "and", "or", "store-release", "call", "poll"}

func (o Op) String() string { return opNames[o] }

// Access is an access to shared memory that a process is about to make.
type Access struct {
	Op       Op
	At       Ptr
	Arg, Old Value // what is stored, swapped in or added; what is compared
	Plain    bool  // not through sync/atomic
	Bool     bool  // on an atomic.Bool
	bits     int   // of the word, with the sign: negative if signed
	oldValue bool  // And and Or: the result is the old value
	wrap     bool  // the result is a struct or array of the one cell
	// forgotten: what the cell holds makes no difference to anything
	forgotten bool
	empty     bool // the word is the address of a variable without size
}

// Apply returns what the access leaves in a cell that holds v, and the result
// that the process gets. The result is Undecided if it depends on a value that
// is not known.
func (a *Access) Apply(v Value) (now, result Value) {
	if a.forgotten {
		if a.wrap {
			return v, Agg{v}
		}
		return v, v
	}
	if n, ok := v.(Num); ok {
		v = a.Word(n)
	}
	if why := a.undecided(v); why != "" {
		return v, Undecided{why}
	}
	switch a.Op {
	case Call, Poll:
		return v, v
	case Load:
		if a.wrap {
			return v, Agg{v}
		}
		return v, v
	case Store, StoreRelease:
		return a.Arg, nil
	case Swap:
		return a.Arg, v
	case CompareAndSwap:
		if v == a.Old {
			return a.Arg, Num(1)
		}
		return v, Num(0)
	case Add:
		sum := truncate(v.(Num)+a.Arg.(Num), a.bits)
		return sum, sum
	case And, Or:
		x := v.(Num) & a.Arg.(Num)
		if a.Op == Or {
			x = v.(Num) | a.Arg.(Num)
		}
		if a.oldValue {
			return x, v
		}
		return x, nil
	}
	return v, nil
}

// Word returns a number as a word of the access's width and sign.
func (a *Access) Word(n Num) Num {
	if a.bits == 0 {
		return n
	}
	return truncate(n, a.bits)
}

// undecided says why it is not known what the access does to a cell that holds
// v, or returns "".
func (a *Access) undecided(v Value) string {
	switch a.Op {
	case CompareAndSwap:
		if o, ok := v.(Opaque); ok && v != a.Old {
			return "compares " + o.By + ", which is not known"
		}
		if o, ok := a.Old.(Opaque); ok && v != a.Old {
			return "compares " + o.By + ", which is not known"
		}
		if v == moved {
			return "compares " + moved.By
		}
		x, ok := v.(Ptr)
		if y, ok2 := a.Old.(Ptr); ok && ok2 && a.empty && x != y && x.Obj != 0 && y.Obj != 0 {
			return "compares the addresses of two variables without size, which may or may not be equal"
		}
	case Add, And, Or:
		if o, ok := v.(Opaque); ok {
			return "computes with " + o.By + ", which is not known"
		}
	}
	return ""
}

// Writes reports whether the access can change the cell.
func (a *Access) Writes() bool { return a.Op != Load && !a.Silent() }

// Stores reports whether the access is a store: it writes and does not read.
func (a *Access) Stores() bool { return a.Op == Store || a.Op == StoreRelease }

// truncate returns n as a word of that many bits, sign-extended if negative.
func truncate(n Num, bits int) Num {
	switch {
	case bits > 0 && bits < 64:
		return n & (1<<bits - 1)
	case bits < 0 && bits > -64:
		return Num(int64(n) << (64 + bits) >> (64 + bits))
	}
	return n
}

// State is a process between two accesses: it has all that its next steps
// depend on, and nothing else. A State is immutable.
type State struct {
	Section Section
	// Mode is that of the passage, Exclusive before the process has decided, and
	// GaveUp says that its giveUp has returned true.
	Mode   shm.Mode
	GaveUp bool
	// Access is the next access, nil if Fault tells why there is none.
	Access  *Access
	Fault   *Fault
	frames  []frame
	heap    []object // objects -1, -2, …
	fresh   int      // so many of them are shared by the next access, if it writes
	aliases []alias  // among them
	priv    []Value  // the process's private cells of shared memory
	failed  bool     // the passage has, before its one step, which is a Pass
}

type frame struct {
	f     *fnInfo
	block int
	pc    int
	env   []Value
	// later are the calls that have been deferred, the last one to be made
	// first, and at is where the one that runs was deferred.
	later []deferred
	at    token.Pos
	// words are what has been read or written so far of a struct or an array that
	// is copied word by word; nil if none is.
	words []Value
}

// where is the position of the instruction that is executed.
func (f *frame) where() token.Pos {
	instrs := f.f.fn.Blocks[f.block].Instrs
	if _, ok := instrs[f.pc].(*ssa.RunDefers); ok && f.at.IsValid() {
		return f.at
	}
	return position(instrs, f.pc)
}

// Key is equal for two states of one process if and only if they are the same
// state.
func (s *State) Key() string {
	k := &keyer{}
	k.buf = append(k.buf, byte(s.Section)|byte(s.Mode)<<2|bit(s.GaveUp)<<4|bit(s.failed)<<5)
	if s.Fault != nil {
		return string(append(append(k.buf, 0xff), s.Fault.Error()...))
	}
	a := s.Access
	k.buf = append(k.buf, byte(a.Op), bit(a.Plain)|bit(a.wrap)<<1|bit(a.oldValue)<<2)
	k.value(a.At)
	k.value(a.Arg)
	k.value(a.Old)
	for _, f := range s.frames {
		k.num(uint64(f.f.id))
		k.num(uint64(f.block))
		k.num(uint64(f.pc))
		k.num(uint64(len(f.env)))
		for _, v := range f.env {
			k.value(v)
		}
		if f.words != nil {
			k.value(Agg(f.words))
		}
		for _, d := range f.later {
			k.num(uint64(d.call.Pos()))
			k.value(Agg(d.values))
		}
	}
	for _, o := range s.heap {
		k.num(uint64(len(o.cells)))
		for _, v := range o.cells {
			k.value(v)
		}
	}
	for _, v := range s.priv {
		k.value(v)
	}
	for _, a := range s.aliases {
		k.value(a.a)
		k.value(a.b)
		k.num(uint64(a.n))
	}
	return string(k.buf)
}

// Bytes is about what a state takes in memory, beside its key.
func (s *State) Bytes() int {
	cells := len(s.priv)
	for _, f := range s.frames {
		cells += len(f.env) + 3
	}
	for _, o := range s.heap {
		cells += len(o.cells) + 3
	}
	return 256 + cells*cellBytes
}

// Identity returns what is equal for two values if and only if they are the
// same, and can be the key of a map.
func Identity(v Value) any {
	switch v.(type) {
	case Agg, *Closure, Iface:
		var k keyer
		k.value(v)
		return identity(k.buf)
	}
	return v
}

type identity string

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

type keyer struct{ buf []byte }

func (k *keyer) num(n uint64) { k.buf = binary.AppendUvarint(k.buf, n) }

func (k *keyer) value(v Value) {
	switch v := v.(type) {
	case nil:
		k.buf = append(k.buf, 0)
	case Num:
		k.buf = append(k.buf, 1)
		k.num(uint64(v))
	case Ptr:
		k.buf = append(k.buf, 2)
		k.num(uint64(uint32(v.Obj)))
		k.num(uint64(v.Off))
	case Slice:
		k.buf = append(k.buf, 3)
		k.value(v.P)
		k.num(uint64(v.Len))
		k.num(uint64(v.Cap))
		k.buf = append(k.buf, bit(v.Grown))
	case string:
		k.buf = append(k.buf, 4)
		k.num(uint64(len(v)))
		k.buf = append(k.buf, v...)
	case Agg:
		k.buf = append(k.buf, 5)
		k.num(uint64(len(v)))
		for _, c := range v {
			k.value(c)
		}
	case *Closure:
		k.buf = append(k.buf, 6)
		if v != nil {
			k.buf = fmt.Appendf(k.buf, "%p", v.Fn)
			k.value(Agg(v.Free))
		}
	case Iface:
		k.buf = append(k.buf, 7)
		if v.T != nil {
			k.buf = fmt.Appendf(k.buf, "%p", v.T) // one for identical types
			k.value(v.V)
		}
	case Opaque:
		k.buf = append(k.buf, 8)
		k.num(uint64(uint32(v.ID)))
		k.buf = append(append(k.buf, v.By...), 0)
	case Forgotten:
		k.buf = append(k.buf, 9)
		k.value(v.Cell)
	case Map:
		k.buf = append(k.buf, 10)
		k.num(uint64(v.ID))
	default:
		panic(fmt.Sprintf("interp: no key for a %T", v))
	}
}

// Private returns what the process's own cell of shared memory number i holds.
func (s *State) Private(i int) Value {
	if i >= len(s.priv) {
		return nil
	}
	return s.priv[i]
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

// Nest returns the receiver of the innermost Lock or Unlock that runs inside
// the lock's own, such as the node of a tree, or the zero Ptr.
func (m *Machine) Nest(s *State) Ptr {
	for i := len(s.frames) - 1; i >= 1; i-- {
		f := s.frames[i]
		if p, ok := f.env[0].(Ptr); f.f.section && ok {
			return p
		}
	}
	return Ptr{}
}

// Site identifies the instruction that makes the next access and the calls
// that led to it.
func (m *Machine) Site(s *State) string {
	var k keyer
	for _, f := range s.frames {
		k.num(uint64(f.f.id))
		k.num(uint64(f.block))
		k.num(uint64(f.pc))
	}
	return string(k.buf)
}
