package check_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestFuzz checks random small locks twice: as Go source, by the checker, and
// by brute force. Everything that both can tell must be the same.
func TestFuzz(t *testing.T) {
	t.Parallel()
	programs := sample.Amount(100, 1000)
	rnd := rand.New(rand.NewPCG(1974, 1981))
	all := make([]*program, programs)
	for i := range all {
		all[i] = randomProgram(rnd)
	}
	src := written(t, all)
	tally := map[string]int{}
	for i, p := range all {
		reports, err := src.Lock(t.Context(), fmt.Sprintf("New%d", i), check.Options{N: []int{2}, Workers: 1})
		require.NoError(t, err)
		got, want := verdicts(reports[0]), explore(p).verdicts()
		require.Equal(t, want, got, "program %d: %+v", i, *p)
		tally[got]++
	}
	require.Greater(t, len(tally), 12, "too few kinds of locks to mean much: %v", tally)
}

// written writes programs as a module of locks New0, New1 and so on.
func written(t *testing.T, programs []*program) *check.Source {
	t.Helper()
	var text bytes.Buffer
	for i, p := range programs {
		p.write(&text, i)
	}
	return module(t, text.String())
}

// module opens a module of locks.
func module(t *testing.T, locks string) *check.Source {
	t.Helper()
	dir := t.TempDir()
	text := "package fuzz\n\nimport \"sync/atomic\"\n\ntype note struct{ next atomic.Pointer[note] }\n" + locks
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fuzz.go"), []byte(text), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module fuzz\n\ngo 1.26\n"), 0o644))
	src, err := check.Open(t.Context(), dir, ".")
	require.NoError(t, err)
	return src
}

// verdicts puts what both checkers can tell in one line.
func verdicts(r *check.Report) string {
	starved := [2]bool{}
	for _, pid := range r.Starved {
		starved[pid] = true
	}
	return fmt.Sprintf("broken %t, deadlock %t, starved %v, stuck %t, bypass %d", r.MutualExclusion == check.Violated,
		r.DeadlockFreedom == check.Violated, starved, r.ExitProgress == check.Violated, *r.BypassFromStart)
}

func (b *brute) verdicts() string {
	always := func(state, state, int) bool { return true }
	during := func(i int, in byte) func(state) bool { return func(s state) bool { return s.at[i].in == in } }
	deadlock := false
	for i := range 2 {
		deadlock = deadlock || b.forever(during(i, 'e'), func(from, to state, a int) bool {
			return from.at[a].in == 'c' || to.at[a].in != 'c'
		})
	}
	bypass := max(b.bypass(0), b.bypass(1))
	if b.bypass(0) < 0 || b.bypass(1) < 0 {
		bypass = -1
	}
	return fmt.Sprintf("broken %t, deadlock %t, starved %v, stuck %t, bypass %d", b.broken(), deadlock,
		[2]bool{b.forever(during(0, 'e'), always), b.forever(during(1, 'e'), always)},
		b.forever(during(0, 'x'), always) || b.forever(during(1, 'x'), always), bypass)
}

// randomProgram draws two processes. Most pairs do the same to their own registers and to
// those of the other process, so that some of the locks are correct.
func randomProgram(rnd *rand.Rand) *program {
	var p program
	draw := func(length int) section {
		var s section
		for range length {
			s = append(s, instr{op: "wwujs"[rnd.IntN(5)], r: rnd.IntN(3), v: rnd.IntN(2), k: rnd.IntN(length)})
		}
		return s
	}
	p.entry[0], p.exit[0] = draw(2+rnd.IntN(3)), draw(1+rnd.IntN(2))
	p.entry[1], p.exit[1] = draw(2+rnd.IntN(3)), draw(1+rnd.IntN(2))
	if rnd.IntN(3) > 0 {
		p.entry[1], p.exit[1] = mirrored(p.entry[0]), mirrored(p.exit[0])
	}
	if rnd.IntN(2) > 0 { // leave what is taken
		p.exit[0] = append(p.exit[0], instr{op: 'w', r: p.entry[0][0].r})
		p.exit[1] = append(p.exit[1], instr{op: 'w', r: p.entry[1][0].r})
	}
	return &p
}

// mirrored exchanges registers 0 and 1.
func mirrored(s section) section {
	out := append(section(nil), s...)
	for i := range out {
		if out[i].r < 2 {
			out[i].r = 1 - out[i].r
		}
	}
	return out
}

// write writes the program as Go source.
func (p *program) write(w *bytes.Buffer, i int) {
	fmt.Fprintf(w, "\ntype L%d struct {\n\tr     [3]atomic.Uint32\n\tboard atomic.Pointer[note]\n}\n\nfunc New%d(int) *L%d { return new(L%d) }\n", i, i, i, i)
	for name, code := range map[string][2]section{"Lock": p.entry, "Unlock": p.exit} {
		fmt.Fprintf(w, "\nfunc (l *L%d) %s(i int) {\n\tif i == 0 {\n%s\t} else {\n%s\t}\n}\n", i, name, code[0].source("A"), code[1].source("B"))
	}
}

func (s section) source(prefix string) string {
	used := map[int]bool{}
	for _, c := range s {
		if c.op == 'j' || c.op == 's' || c.op == 'p' {
			used[c.k] = true
		}
	}
	var b strings.Builder
	for pc, c := range s {
		if used[pc] {
			fmt.Fprintf(&b, "\t%s%d:\n", prefix, pc)
		}
		switch c.op {
		case 'w':
			fmt.Fprintf(&b, "\t\tl.r[%d].Store(%d)\n", c.r, c.v)
		case 'W':
			fmt.Fprintf(&b, "\t\tl.r[%d].StoreRelease(%d)\n", c.r, c.v)
		case 'u':
			fmt.Fprintf(&b, "\t\tfor l.r[%d].Load() != %d {\n\t\t}\n", c.r, c.v)
		case 'j':
			fmt.Fprintf(&b, "\t\tif l.r[%d].Load() == %d {\n\t\t\tgoto %s%d\n\t\t}\n", c.r, c.v, prefix, c.k)
		case 'p':
			fmt.Fprintf(&b, "\t\tif giveUp() {\n\t\t\tgoto %s%d\n\t\t}\n", prefix, c.k)
		case 'n':
			fmt.Fprintf(&b, "\t\tl.board.Swap(new(note))\n")
		case 's':
			fmt.Fprintf(&b, "\t\tif l.r[%d].Swap(%d) != 0 {\n\t\t\tgoto %s%d\n\t\t}\n", c.r, c.v, prefix, c.k)
		}
	}
	if used[len(s)] {
		fmt.Fprintf(&b, "\t%s%d:\n", prefix, len(s))
	}
	return b.String()
}
