package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestFuzzWeak checks random small locks on regular and on safe registers twice: as
// Go source, by the checker, and by brute force from the definitions.
func TestFuzzWeak(t *testing.T) {
	t.Parallel()
	programs := sample.Amount(60, 250)
	rnd := rand.New(rand.NewPCG(1986, 2023))
	all := make([]*program, programs)
	for i := range all {
		if all[i] = nearLock(rnd); i%2 == 0 {
			all[i] = randomProgram(rnd)
		}
		for k := range all[i].entry[0] {
			if rnd.IntN(12) == 0 { // a third value
				all[i].entry[0][k].v = 2
			}
		}
	}
	src := written(t, all)
	tally := map[string]int{}
	for i, p := range all {
		for _, registers := range []shm.RegisterModel{shm.Regular, shm.Safe} {
			reports, err := src.Lock(t.Context(), fmt.Sprintf("New%d", i), check.Options{N: []int{2}, Workers: 1, Registers: registers})
			require.NoError(t, err)
			got, want := weakVerdicts(reports[0]), exploreWeak(p, registers == shm.Safe).verdicts()
			require.Equal(t, want, got, "program %d on %s registers: %+v", i, registers, *p)
			tally[got]++
		}
	}
	require.Greater(t, len(tally), 12, "too few kinds of locks to mean much: %v", tally)
}

// nearLock draws a program that is some lock, or differs from it in a few
// instructions.
func nearLock(rnd *rand.Rand) *program {
	of := func(i int) [][2]section {
		o := 1 - i
		return [][2]section{
			// Peterson's
			{{{'w', i, 1, 0}, {'w', 2, i, 0}, {'j', o, 0, 4}, {'j', 2, i, 2}}, {{'w', i, 0, 0}}},
			// Dekker's
			{{{'w', i, 1, 0}, {'j', o, 0, 7}, {'j', 2, i, 1}, {'w', i, 0, 0}, {'u', 2, i, 0}, {'j', 2, i, 0}, {'j', 2, o, 0}}, {{'w', 2, o, 0}, {'w', i, 0, 0}}},
			// Burns and Lynch's
			{[]section{
				{{'w', 0, 1, 0}, {'u', 1, 0, 0}},
				{{'w', 1, 0, 0}, {'u', 0, 0, 0}, {'w', 1, 1, 0}, {'j', 0, 1, 0}},
			}[i], {{'w', i, 0, 0}}},
			// turns alone
			{{{'u', 2, i, 0}}, {{'w', 2, o, 0}}},
			// one word that is swapped, and one that is not
			{{{'s', 2, 1, 0}, {'w', i, 1, 0}, {'j', o, 1, 1}}, {{'w', i, 0, 0}, {'w', 2, 0, 0}}},
		}
	}
	var p program
	which := rnd.IntN(5)
	for i := range 2 {
		lock := of(i)[which]
		p.entry[i], p.exit[i] = lock[0], lock[1]
	}
	for range rnd.IntN(3) {
		at, other := rnd.IntN(len(p.entry[0])), []section{p.entry[0], p.exit[0]}[rnd.IntN(2)]
		switch c := &p.entry[0][at]; rnd.IntN(5) {
		case 0:
			c.r = rnd.IntN(3)
		case 1:
			c.v = rnd.IntN(2)
		case 2:
			c.k = rnd.IntN(len(p.entry[0]) + 1)
		case 3:
			c.op = "wuj"[rnd.IntN(3)]
		case 4:
			k := rnd.IntN(len(other))
			other[0], other[k] = other[k], other[0]
		}
	}
	return &p
}

// weakVerdicts puts what both checkers can tell in one line.
func weakVerdicts(r *check.Report) string {
	starved := [2]bool{}
	for _, pid := range r.Starved {
		starved[pid] = true
	}
	unlucky := func(property string) bool { return slices.Contains(r.Unlucky, property) }
	return fmt.Sprintf("broken %t, deadlock %t %t, starved %v %t, stuck %t %t", r.MutualExclusion == check.Violated,
		r.DeadlockFreedom == check.Violated, unlucky(check.DeadlockFreedom), starved, unlucky(check.StarvationFreedom),
		r.ExitProgress == check.Violated, unlucky(check.ExitProgress))
}

func (b *weakBrute) verdicts() string {
	// of both processes, in one section
	judge := func(in byte, entries bool) (can [2]bool, any, unlucky bool) {
		trap := false
		for i := range 2 {
			c, t := b.forever(func(s weakState) bool { return s.at[i].in == in }, entries)
			can[i], any, trap = c, any || c, trap || t
		}
		return can, any, any && !trap
	}
	_, deadlock, unluckyDeadlock := judge('e', false)
	starved, _, unluckyStarved := judge('e', true)
	_, stuck, unluckyStuck := judge('x', true)
	return fmt.Sprintf("broken %t, deadlock %t %t, starved %v %t, stuck %t %t", b.broken(), deadlock, unluckyDeadlock, starved, unluckyStarved, stuck, unluckyStuck)
}
