package interp

import "fmt"

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

// String returns the operation's name.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("number %d", uint8(o))
}

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
		return held(a.Arg), nil
	case Swap:
		return held(a.Arg), v
	case CompareAndSwap:
		if v == held(a.Old) {
			return held(a.Arg), Num(1)
		}
		return v, Num(0)
	case Add:
		if c, ok := v.(Count); ok {
			return c.plus(a.by()).held(), c.plus(a.by())
		}
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
