package interp

import (
	"encoding/binary"
	"fmt"
)

// AppendKey appends the key of a state to buf. The keys of two states of one process are equal
// if and only if they are the same state.
func (s *State) AppendKey(buf []byte) []byte {
	k := keyer{buf: buf}
	return k.state(s)
}

// Shape returns the key of a state without its counts, and the counts in their order.
func (s *State) Shape() (key string, counts []Count) {
	k := keyer{counts: &counts}
	return string(k.state(s)), counts
}

func (k *keyer) state(s *State) []byte {
	k.buf = append(k.buf, byte(s.Section)|byte(s.Mode)<<2|bit(s.GaveUp)<<5|bit(s.failed)<<6)
	if s.Fault != nil {
		return append(append(k.buf, 0xff), s.Fault.Error()...)
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
		for _, d := range f.deferred {
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
	return k.buf
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

type keyer struct {
	buf    []byte
	counts *[]Count // where they go, if they are no part of the key
}

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
	case Count:
		k.buf = append(k.buf, 11)
		k.buf = append(k.buf, byte(v.Low), bit(v.Lap > 0))
		if k.value(v.Of); k.counts != nil {
			*k.counts = append(*k.counts, v)
			return
		}
		k.num(v.N)
		k.num(uint64(v.Lap))
	case Map:
		k.buf = append(k.buf, 10)
		k.num(uint64(v.ID))
	default:
		panic(fmt.Sprintf("interp: no key for a %T", v))
	}
}
