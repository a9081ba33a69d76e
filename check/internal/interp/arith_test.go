package interp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

var integers = []string{"int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint", "uintptr"}

// operands are the words at which arithmetic of some width goes over an edge,
// and random ones, in pairs.
func operands(count int) (pairs [][2]uint64) {
	edges := []uint64{0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 1<<64 - 1, 1<<64 - 2, 1<<64 - 64}
	for _, bit := range []int{7, 8, 15, 16, 31, 32, 63} {
		edges = append(edges, 1<<bit, 1<<bit-1, 1<<bit+1, -(1 << bit))
	}
	rnd := rand.New(rand.NewPCG(1965, 1974))
	draw := func() uint64 {
		if rnd.IntN(3) > 0 {
			return edges[rnd.IntN(len(edges))]
		}
		return rnd.Uint64() >> rnd.IntN(64)
	}
	for range count {
		pairs = append(pairs, [2]uint64{draw(), draw()})
	}
	return append(pairs, [2]uint64{1 << 63, 1<<64 - 1}, [2]uint64{1 << 31, 1<<64 - 1}, [2]uint64{128, 255}) // least / -1
}

// TestArithmetic holds every operator, at every width, and every conversion
// between integers against the compiler.
func TestArithmetic(t *testing.T) {
	sample.NeedsAll(t)
	c := &compiled{}
	for _, typ := range integers {
		for _, op := range []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^"} {
			c.add(typ+" "+op, fmt.Sprintf("return uint64(%s(a) %s %s(b))", typ, op, typ))
			c.add(typ+" "+op+"=", fmt.Sprintf("x := %s(a)\nx %s= %s(b)\nreturn uint64(x)", typ, op, typ))
		}
		for _, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
			c.add(typ+" "+op, fmt.Sprintf("return flag(%s(a) %s %s(b))", typ, op, typ))
		}
		for _, op := range []string{"+", "-", "^"} {
			c.add("unary "+op+" "+typ, fmt.Sprintf("return uint64(%s%s(a))", op, typ))
		}
		for _, f := range []string{"min", "max"} {
			c.add(f+" "+typ, fmt.Sprintf("return uint64(%s(%s(a), %s(b)))", f, typ, typ))
		}
		c.add(typ+"++", fmt.Sprintf("x := %s(a)\nx++\nreturn uint64(x)", typ))
		c.add(typ+"--", fmt.Sprintf("x := %s(a)\nx--\nreturn uint64(x)", typ))
		for _, by := range integers {
			for _, op := range []string{"<<", ">>"} {
				c.add(typ+" "+op+" "+by, fmt.Sprintf("return uint64(%s(a) %s %s(b))", typ, op, by))
				c.add(typ+" "+op+" small "+by, fmt.Sprintf("return uint64(%s(a) %s (%s(b) %% 70))", typ, op, by))
			}
			c.add(typ+" to "+by, fmt.Sprintf("return uint64(%s(%s(a)))", by, typ))
		}
	}
	for _, op := range []string{"==", "!=", "&&", "||"} {
		c.add("bool "+op, fmt.Sprintf("return flag((a&1 == 0) %s (b&1 == 0))", op))
	}
	c.add("!", "return flag(!(a < b))")
	same, refused := c.run(t, "", operands(60))
	require.Zero(t, refused)
	t.Logf("%d functions, %d results", len(c.names), same)
}

// TestAtomicArithmetic holds the operations of sync/atomic at every width,
// called in every way, against the compiler.
func TestAtomicArithmetic(t *testing.T) {
	c := &compiled{}
	for _, w := range []struct{ typ, name string }{
		{"int32", "Int32"}, {"int64", "Int64"}, {"uint32", "Uint32"}, {"uint64", "Uint64"}, {"uintptr", "Uintptr"},
	} {
		for _, op := range []string{"Add", "And", "Or", "Swap"} {
			word := fmt.Sprintf("var w struct{ before int; atomic.%s }\nw.Store(%s(a))\n", w.name, w.typ)
			result := "return uint64(r)*3 + uint64(w.Load())"
			for _, how := range []struct{ name, call string }{
				{"method", fmt.Sprintf("r := w.%s.%s(%s(b))\n", w.name, op, w.typ)},
				{"promoted", fmt.Sprintf("r := w.%s(%s(b))\n", op, w.typ)},
				{"method expression", fmt.Sprintf("f := (*atomic.%s).%s\nr := f(&w.%s, %s(b))\n", w.name, op, w.name, w.typ)},
				{"method value", fmt.Sprintf("f := w.%s.%s\nr := f(%s(b))\n", w.name, op, w.typ)},
				{"interface", fmt.Sprintf("var i interface { %s(%s) %s } = &w\nr := i.%s(%s(b))\n", op, w.typ, w.typ, op, w.typ)},
				{"embedded", fmt.Sprintf("var i interface { %s(%s) %s } = struct{ *atomic.%s }{&w.%s}\nr := i.%s(%s(b))\n", op, w.typ, w.typ, w.name, w.name, op, w.typ)},
			} {
				c.add(w.name+"."+op+", "+how.name, word+how.call+result)
			}
			c.add(op+w.name, fmt.Sprintf("w := %s(a)\nr := atomic.%s%s(&w, %s(b))\nreturn uint64(r)*3 + uint64(w)", w.typ, op, w.name, w.typ))
			c.add(op+w.name+" as a value", fmt.Sprintf("w := %s(a)\nf := atomic.%s%s\nr := f(&w, %s(b))\nreturn uint64(r)*3 + uint64(w)", w.typ, op, w.name, w.typ))
		}
		c.add(w.name+".CompareAndSwap", fmt.Sprintf("var w atomic.%s\nw.Store(%s(a))\nr := w.CompareAndSwap(%s(b), 7)\nreturn flag(r)*3 + uint64(w.Load())", w.name, w.typ, w.typ))
		c.add("CompareAndSwap"+w.name, fmt.Sprintf("w := %s(a)\nr := atomic.CompareAndSwap%s(&w, %s(b), 7)\nreturn flag(r)*3 + uint64(w)", w.typ, w.name, w.typ))
		c.add("And"+w.name+" for nothing", fmt.Sprintf("var w atomic.%s\nw.Store(%s(a))\nw.And(%s(b))\nw.Or(%s(b >> 3))\nreturn uint64(w.Load())", w.name, w.typ, w.typ, w.typ))
	}
	c.add("Bool", "var w atomic.Bool\nw.Store(a&1 == 0)\nold := w.Swap(b&1 == 0)\nr := w.CompareAndSwap(a&2 == 0, true)\nreturn flag(old)*4 + flag(r)*2 + flag(w.Load())")
	same, refused := c.run(t, "\t\"sync/atomic\"\n", operands(60))
	require.Zero(t, refused)
	t.Logf("%d functions, %d results", len(c.names), same)
}
