package check_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

const randomLocks = `package random

import "sync/atomic"

type cell struct {
	v    int
	next *cell
}

type pair struct{ x, y int }

type memory struct {
	a, b  int
	s     []int
	arr   [2]int
	c     *cell
	q     *int
	mine  []pair
	w     atomic.Uint32
	short uint8
}

func newMemory(n int) memory {
	c := &cell{next: &cell{v: 1}}
	c.next.next = c
	m := memory{s: make([]int, 3, 4), c: c, mine: make([]pair, n)}
	m.q = &m.s[1]
	return m
}

func (m *memory) count() int {
	m.a = (m.a + 1) & 3
	return m.b
}

func (m *memory) held(pid int) *pair { return &m.mine[pid] }

type Lock interface{ Lock(int); Unlock(int) }

type Algorithm struct {
	Name string
	New  func(n int) (Lock, error)
}
`

// randomLock writes statements over memory of all kinds.
type randomLock struct {
	rnd  *rand.Rand
	text strings.Builder
}

func (r *randomLock) pick(of ...string) string { return of[r.rnd.IntN(len(of))] }

// variable is one of two cells of each kind of memory.
func (r *randomLock) variable(depth int) string {
	i := "uint(" + r.value(depth-1) + ")"
	return r.pick("l.a", "l.b", "l.s["+i+"%3]", "l.arr["+i+"%2]", "l.c.v", "l.c.next.v", "(*l.q)", "l.mine[pid].x", "l.held(pid).y", "x", "y")
}

func (r *randomLock) value(depth int) string {
	if depth <= 0 {
		return r.pick("0", "1", "2", "pid", "x", "l.a")
	}
	switch r.rnd.IntN(12) {
	case 0, 1:
		return r.value(0)
	case 2:
		return "int(l.w.Load())"
	case 3:
		return "int(l.short)"
	case 4, 5, 6:
		return "(" + r.value(depth-1) + " " + r.pick("+", "-", "*", "^", "&") + " " + r.value(depth-1) + ")"
	case 7:
		return "len(l.s)"
	case 8:
		return "l.count()"
	}
	return r.variable(depth)
}

func (r *randomLock) statement(depth int) {
	in := strings.Repeat("\t", 4-depth)
	line := func(format string, args ...any) { fmt.Fprintf(&r.text, in+format+"\n", args...) }
	v := r.variable(1)
	switch r.rnd.IntN(16) {
	case 0, 1, 2:
		line("%s = %s & 3", v, r.value(2))
	case 3:
		line("%s %s= %s", v, r.pick("+", "-", "^", "|"), r.value(1))
		line("%s &= 3", v)
	case 4:
		line("%s%s", r.pick("l.short", "x"), r.pick("++", "--"))
		line("l.short, x = l.short&3, x&3")
	case 5:
		line("%s, %s = %s&3, %s", v, r.pick("l.a", "y", "l.arr[0]"), r.value(1), r.pick("l.b", "x", "l.s[0]"))
	case 6:
		line("l.c = l.c.next")
	case 7:
		line("l.w.Store(uint32(%s & 3))", r.value(1))
	case 8:
		line("if l.w.CompareAndSwap(%s, %s) {", r.pick("0", "1"), r.pick("0", "1", "2"))
		r.statement(max(depth-1, 1))
		line("}")
	case 9:
		line("for i, v := range l.s {")
		line("\tx += i * v")
		line("}")
		line("x &= 3")
	case 10:
		line("own := l.mine[pid]")
		line("own.x, own.y = own.y, %s&3", r.value(1))
		line("l.mine[pid] = own")
	case 11:
		line("l.q = &l.%s", r.pick("a", "s[2]", "arr[1]", "c.v", "mine[pid].x"))
	case 12:
		line("if %s > %s {", r.value(2), r.value(1))
		if r.statement(max(depth-1, 1)); r.rnd.IntN(2) == 0 {
			line("} else {")
			r.statement(max(depth-1, 1))
		}
		line("}")
	case 13:
		line("func() { y = %s & 3 }()", r.value(1))
	case 14:
		line("for i := %s & 3; i > 0; i-- {", r.value(1))
		line("\tx ^= i")
		line("}")
	case 15:
		line("t := append(l.s[:0:0], %s&3, l.s[1])", r.value(1))
		line("x = copy(t, l.s[1:]) + t[0]&1")
	}
}

func (r *randomLock) lock(i int) {
	fmt.Fprintf(&r.text, "\ntype L%d struct{ memory }\n", i)
	for _, method := range []string{"Lock", "Unlock"} {
		fmt.Fprintf(&r.text, "\nfunc (l *L%d) %s(pid int) {\n\tx, y := 0, 1\n", i, method)
		guarded := method == "Lock" && r.rnd.IntN(2) == 0
		if guarded {
			r.text.WriteString("\tfor l.w.Swap(3) == 3 {\n\t}\n")
		}
		for range 1 + r.rnd.IntN(4) {
			r.text.WriteString("\t{\n")
			r.statement(2)
			r.text.WriteString("\t}\n")
		}
		r.text.WriteString("\tl.b = (x + y) & 1\n}\n")
	}
}

// TestRandomLocks runs random locks over plain memory of all kinds, right or
// wrong, on the automata and on the compiled code: every access is the same.
func TestRandomLocks(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	const locks = 100
	src, algorithms := randomLocksOf(t, rand.New(rand.NewPCG(1965, 1974)), locks, 2)
	reports, err := src.Algorithms(t.Context(), "All", algorithms, check.Options{N: []int{2}, MaxStates: 1 << 14, Replays: 1_000})
	require.NoError(t, err)
	tally := map[string]int{}
	for _, rep := range reports {
		switch {
		case rep.Refused != "":
			_, why, _ := strings.Cut(rep.Refused, ": ")
			tally["refused: "+why]++
		case rep.Replay == nil:
			tally["not learned"]++
		default:
			require.Empty(t, rep.Replay.Omitted, rep.Algorithm)
			tally["replayed"]++
			tally["accesses"] += rep.Replay.Accesses
		}
	}
	t.Log(tally)
	require.Greater(t, tally["replayed"], locks/4)
}

// randomLocksOf writes random locks for up to most processes, and opens them.
func randomLocksOf(t *testing.T, rnd *rand.Rand, locks, most int) (*check.Source, []shm.Algorithm) {
	t.Helper()
	r := &randomLock{rnd: rnd}
	r.text.WriteString(randomLocks)
	var list strings.Builder
	var algorithms []shm.Algorithm
	for i := range locks {
		r.lock(i)
		name := fmt.Sprintf("random/%d", i)
		fmt.Fprintf(&list, "\t\t{%q, func(n int) (Lock, error) { return &L%d{newMemory(n)}, nil }},\n", name, i)
		algorithms = append(algorithms, shm.Algorithm{Name: name, MinProcs: 2, MaxProcs: most})
	}
	fmt.Fprintf(&r.text, "\nfunc All() []Algorithm {\n\treturn []Algorithm{\n%s\t}\n}\n", &list)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "random.go"), []byte(r.text.String()), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module random\n\ngo 1.26\n"), 0o644))
	src, err := check.Open(t.Context(), dir, ".")
	require.NoError(t, err)
	return src, algorithms
}
