package interp

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

var functions = flag.Int("functions", 0, "how many random functions TestRandom compiles and interprets (default 50, or 400 with -all)")

// TestRandom holds random functions, as the compiler has them, against the
// interpreter: expressions whose parts change what other parts read, slices and
// arrays that share memory, structs that are copied, closures, interfaces. What
// hangs on an order or a capacity that the language leaves open is refused; all
// the rest is the same.
func TestRandom(t *testing.T) {
	sample.NeedsAll(t)
	c := &compiled{}
	c.text.WriteString(`
type inner struct{ a int32; b uint8 }

type outer struct {
	inner
	c  uint64
	in [2]inner
	p  *inner
}

func (i *inner) bump() int32 { i.a += 3; i.b++; return i.a }

func (i inner) sum() int32 { return i.a + int32(i.b) }

type bumper interface {
	bump() int32
	sum() int32
}

type state struct {
	n   int
	arr [3]int
	s   []int
	o   outer
	q   *outer
	all []inner
	f   func() int
	i   bumper
	any any
}

func (s *state) step(k int) int {
	s.n += k
	s.arr[uint(s.n)%3]++
	return s.n
}

func (s *state) hash() uint64 {
	h := uint64(s.n)
	for _, x := range s.arr {
		h = h*31 + uint64(x)
	}
	for _, x := range s.s {
		h = h*31 + uint64(x)
	}
	h = h*31 + s.o.c + uint64(s.o.a) + uint64(s.o.b)*3 + uint64(s.o.in[0].a)*5 + uint64(s.o.in[1].b)*7
	h = h*31 + s.q.c + uint64(s.q.p.a)
	for _, x := range s.all {
		h = h*31 + uint64(x.a) + uint64(x.b)
	}
	return h
}

func start(a, b uint64) *state {
	s := &state{n: int(a % 7), arr: [3]int{int(a), int(b), 3}}
	s.s = make([]int, 2, 2+b%3)
	s.o.p = &s.o.in[b%2]
	s.q = &outer{c: b, p: &s.o.inner}
	s.all = []inner{{1, 2}, {3, 4}, {int32(a), uint8(b)}}
	s.f = func() int { s.n++; return s.arr[0] }
	s.i = &s.o.inner
	s.any = s.o.inner
	return s
}
`)
	rnd := rand.New(rand.NewPCG(1936, 1937))
	count := *functions
	switch {
	case count == 0 && sample.All():
		count = 400
	case count == 0:
		count = 50
	}
	for range count {
		g := &generator{rnd: rnd}
		body := "s := start(a, b)\nx, y := int(b%5), int32(a)\n"
		for range 2 + rnd.IntN(5) {
			body += g.statement(2)
		}
		c.add(body, body+"return s.hash()*31 + uint64(x) + uint64(y)")
	}
	same, refused := c.run(t, "", operands(3))
	t.Logf("%d results are the same, %d refused", same, refused)
	require.Greater(t, same, 4*refused, "too few were interpreted")
}

// generator writes random statements about a *state s, an int x and an int32 y.
type generator struct {
	rnd  *rand.Rand
	vars int
}

func (g *generator) pick(choices ...string) string { return choices[g.rnd.IntN(len(choices))] }

// fill replaces each % in a text by a random expression: %d of type int, %w
// int32, %b bool.
func (g *generator) fill(text string, depth int) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		switch text[i+1] {
		case 'd':
			out.WriteString(g.int(depth - 1))
		case 'w':
			out.WriteString(g.int32(depth - 1))
		case 'b':
			out.WriteString(g.bool(depth - 1))
		default:
			out.WriteByte('%')
			continue
		}
		i++
	}
	return out.String()
}

func (g *generator) int(depth int) string {
	if depth < 0 {
		return g.pick("x", "s.n", "s.arr[0]", "s.s[1]", "len(s.s)", "int(y)", "int(s.o.c)", "7", "s.arr[x&1]")
	}
	return g.fill(g.pick("(%d + %d)", "(%d - %d)", "(%d ^ %d)", "(%d * 3)", "s.arr[uint(%d)%3]", "s.s[uint(%d)%uint(len(s.s))]",
		"s.step(%d&3)", "s.f()", "int(%w)", "int(int8(%d))", "int(uint16(%d))", "func() int { x++; return %d }()", "min(%d, %d)",
		"len(append(s.s, %d))", "x", "s.n", "int(s.any.(inner).a)", "(%d / (%d | 1))", "(%d % 5)", "(%d >> (uint(%d) % 8))"), depth)
}

func (g *generator) int32(depth int) string {
	if depth < 0 {
		return g.pick("y", "s.o.a", "s.o.in[1].a", "s.o.p.a", "s.q.p.a", "s.all[0].a", "int32(s.o.b)")
	}
	return g.fill(g.pick("(%w + %w)", "(%w - %w)", "-(%w)", "^(%w)", "s.i.bump()", "s.i.sum()", "s.o.bump()", "s.o.in[0].sum()", "s.all[uint(%d)%3].a",
		"s.o.p.bump()", "int32(%d)", "(%w * %w)", "s.all[1].bump()", "y", "s.q.p.sum()", "(%w << 3)"), depth)
}

func (g *generator) bool(depth int) string {
	if depth < 0 {
		return g.pick("x < 3", "y != 0", "s.n == x", "s.o.inner == s.all[0]", "s.i == bumper(s.o.p)", "s.any == any(s.o.inner)", "s.q != nil")
	}
	return g.fill(g.pick("%d < %d", "%w >= %w", "(%b && %b)", "(%b || %b)", "!(%b)", "%d == %d", "s.arr == [3]int{%d, 2, 3}"), depth)
}

func (g *generator) statement(depth int) string {
	text := g.pick("x = %d\n", "y = %w\n", "s.arr[uint(%d)%3] = %d\n", "s.n += %d\n", "s.o.in[x&1].a = %w\n", "s.o.c ^= uint64(%d)\n",
		"x, s.n = %d, %d\n", "s.arr[0], s.arr[1] = s.arr[1], %d\n", "s.o.inner = s.all[uint(%d)%3]\n", "s.all[0] = s.o.in[1]\n",
		"s.s = append(s.s, %d)\n", "s.s = append(s.s[:1:1], %d)\n", "s.s = append(s.s[:1], %d)\n", "_ = append(s.s, %d)\n",
		"copy(s.s, s.arr[1:])\n", "s.s = s.arr[:]\n", "s.s = append([]int{}, s.s...)\n", "s.o.p = &s.all[uint(%d)%3]\n", "s.q, s.o = &outer{p: s.o.p, c: s.q.c}, *s.q\n",
		"s.any = s.all[1]\n", "s.i = s.o.p\n", "s.f = func() int { x += 3; return x }\n", "s.o.b += uint8(%d)\n", "s.all[2].b--\n",
		"s.all[uint(%d)%3], y = inner{%w, 1}, %w\n", "s.arr[x&1], x = %d, %d\n", "y <<= uint(%d) % 9\n", "s.step(%d & 7)\n", "IF", "FOR", "RANGE", "SWITCH", "CLOSURES")
	block := func() string {
		if depth <= 0 {
			return "s.n++\n"
		}
		out := ""
		for range 1 + g.rnd.IntN(3) {
			out += g.statement(depth - 1)
		}
		return out
	}
	g.vars++
	v := fmt.Sprintf("v%d", g.vars)
	switch text {
	case "IF":
		return g.fill("if %b {\n", depth) + block() + "} else {\n" + block() + "}\n"
	case "FOR":
		return fmt.Sprintf("for %s := 0; %s < 3; %s++ {\ns.n ^= %s\n", v, v, v, v) + block() + "}\n"
	case "RANGE":
		return fmt.Sprintf("for i, %s := range %s {\ns.n += int(%s) * i\n", v, g.pick("s.arr", "s.s", "&s.arr", "[...]uint8{4, 200}"), v) + block() + "}\n"
	case "SWITCH":
		return g.fill("switch %d & 3 {\ncase 0:\n", depth) + block() + "case 1, 2:\n" + block() + "default:\n" + block() + "}\n"
	case "CLOSURES":
		return fmt.Sprintf("var %s []func() int\nfor i := range 3 {\n%s = append(%s, func() int { i += s.n; return i })\n}\nx += %s[1]() + %s[2]() - %s[1]()\n", v, v, v, v, v, v)
	}
	return g.fill(text, depth)
}
