package check_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestModeFuzz checks random small locks with other calls than Lock and Unlock twice: as
// Go source, by the checker, and by brute force. Everything that both can tell must be
// the same.
func TestModeFuzz(t *testing.T) {
	t.Parallel()
	fuzzModes(t, 1991, func(*rand.Rand, *modeProgram) {})
}

// TestSharingModeFuzz does the same with locks whose calls publish nodes that they have
// allocated, at any step and before they fail or give up.
func TestSharingModeFuzz(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	fuzzModes(t, 1993, func(rnd *rand.Rand, p *modeProgram) {
		for mode := range p.enter {
			for i := range p.enter[mode] {
				p.enter[mode][i] = sharing(rnd, p.enter[mode][i])
			}
		}
		for _, code := range []*[2]section{&p.entry, &p.exit, &p.runlock} {
			for i := range code {
				if rnd.IntN(3) == 0 {
					code[i] = sharing(rnd, code[i])
				}
			}
		}
	})
}

// sharing publishes a node before one instruction of a section. Jumps go where they
// went, or to the node if that is in front of it.
func sharing(rnd *rand.Rand, s section) section {
	if len(s) == 0 {
		return s
	}
	at := rnd.IntN(len(s))
	out := append(section(nil), s[:at]...)
	out = append(append(out, instr{op: 'n'}), s[at:]...)
	for i := range out {
		if out[i].k > at {
			out[i].k++
		}
	}
	return out
}

func fuzzModes(t *testing.T, seed uint64, change func(*rand.Rand, *modeProgram)) {
	programs := sample.Amount(20, 120)
	rnd := rand.New(rand.NewPCG(1971, seed))
	all := make([]*modeProgram, programs)
	for i := range all {
		all[i] = randomModes(rnd)
		change(rnd, all[i])
	}
	src := sourceOf(t, all)
	tally := map[string]int{}
	for i, p := range all {
		reports, err := src.Lock(t.Context(), fmt.Sprintf("New%d", i), check.Options{N: []int{2}, Workers: 1})
		require.NoError(t, err)
		require.Len(t, reports, 2)
		got, want := modeVerdicts(reports[1]), exploreModes(p).verdicts()
		require.Equal(t, want, got, "program %d: %+v", i, *p)
		tally[got]++
	}
	require.Greater(t, len(tally), programs/4, "too few kinds of locks to mean much: %v", tally)
}

// randomModes draws a program whose Lock and RLock, and often its other calls, begin
// alike, and leave what they take.
func randomModes(rnd *rand.Rand) *modeProgram {
	p := &modeProgram{program: *randomProgram(rnd), modes: []shm.Mode{shm.Exclusive}}
	for _, mode := range []shm.Mode{shm.Shared, shm.Try, shm.Until, shm.TryShared} {
		if mode == shm.TryShared && !slices.Contains(p.modes, shm.Shared) {
			continue
		}
		if rnd.IntN(2) > 0 || mode == shm.Until && len(p.modes) == 1 {
			p.modes = append(p.modes, mode)
			for i, lock := range p.entry {
				p.enter[mode][i] = p.like(rnd, lock, mode)
			}
		}
	}
	for i, unlock := range p.exit {
		p.runlock[i] = unlock
		if rnd.IntN(2) > 0 {
			p.runlock[i] = section{{op: 'w', r: rnd.IntN(3)}}
		}
	}
	return p
}

// like draws a call of a mode from Lock: the same, or with one instruction changed, and
// with ways to fail.
func (p *modeProgram) like(rnd *rand.Rand, lock section, mode shm.Mode) section {
	s := append(section(nil), lock...)
	if rnd.IntN(2) > 0 {
		s[rnd.IntN(len(s))] = instr{op: "wujs"[rnd.IntN(4)], r: rnd.IntN(3), v: rnd.IntN(2), k: rnd.IntN(len(s))}
	}
	fail := len(s) + 1
	switch mode {
	case shm.Try, shm.TryShared:
		for k := range s {
			switch s[k].op {
			case 'u': // look once
				s[k] = instr{op: 'j', r: s[k].r, v: 1 - s[k].v, k: fail}
			case 'j', 's':
				if rnd.IntN(4) > 0 {
					s[k].k = fail
				}
			}
		}
	case shm.Until: // polls behind the first instructions, and then goes back to the first or on
		s = append(s[:1:1], instr{op: 'p', k: 3}, instr{op: 'j', r: rnd.IntN(3), v: rnd.IntN(2), k: 0})
		for range rnd.IntN(2) {
			s = append(s, instr{op: "wuj"[rnd.IntN(3)], r: rnd.IntN(3), v: rnd.IntN(2), k: 3})
		}
		s[0].k = rnd.IntN(2)
		s = append(s, instr{op: 'j', r: rnd.IntN(3), v: rnd.IntN(2), k: len(s) + 2})
	}
	return s
}

// sourceOf writes programs as a module of locks New0, New1 and so on.
func sourceOf(t *testing.T, programs []*modeProgram) *check.Source {
	var text bytes.Buffer
	for i, p := range programs {
		p.write(&text, i)
		calls := map[string][2]section{}
		for _, mode := range p.modes[1:] {
			switch mode {
			case shm.Shared:
				calls["RLock(i int)"], calls["RUnlock(i int)"] = p.enter[mode], p.runlock
			case shm.Try:
				calls["TryLock(i int) bool"] = p.enter[mode]
			case shm.TryShared:
				calls["TryRLock(i int) bool"] = p.enter[mode]
			case shm.Until:
				calls["LockUntil(i int, giveUp func() bool) bool"] = p.enter[mode]
			}
		}
		for call, code := range calls {
			a, b := code[0].source("A"), code[1].source("B")
			if strings.HasSuffix(call, "bool") {
				a, b = a+code[0].results("A"), b+code[1].results("B")
			}
			fmt.Fprintf(&text, "\nfunc (l *L%d) %s {\n\tif i == 0 {\n%s\t} else {\n%s\t}\n}\n", i, call, a, b)
		}
	}
	return module(t, text.String())
}

// results ends a call that may fail.
func (s section) results(prefix string) string {
	text := "\t\treturn true\n"
	if slices.ContainsFunc(s, func(c instr) bool { return strings.ContainsRune("jsp", rune(c.op)) && c.k == len(s)+1 }) {
		text += fmt.Sprintf("\t%s%d:\n\t\treturn false\n", prefix, len(s)+1)
	}
	return text
}
