package check_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// A checker of released stores by brute force: 'W' writes with release order.

// storeState is a state with what is in the buffers: a register and its value,
// the oldest first.
type storeState struct {
	state
	buf [2]string
}

// step returns the state after the step of an actor, which is process 0 or 1, or
// 2 or 3 for the buffer of one; ok says that it has one to make.
func (p *program) storeStep(s storeState, actor int) (_ storeState, ok bool) {
	if i := actor - 2; i >= 0 {
		if s.buf[i] == "" {
			return s, false
		}
		s.reg[s.buf[i][0]] = int(s.buf[i][1])
		s.buf[i] = s.buf[i][2:]
		return s, true
	}
	code := p.entry[actor]
	if in := s.at[actor].in; in == 'c' || in == 'x' {
		code = p.exit[actor]
	}
	c, memory := code[s.at[actor].pc], s.reg
	if (c.op == 'w' || c.op == 's') && s.buf[actor] != "" {
		return s, false
	}
	for k := 0; k < len(s.buf[actor]); k += 2 { // what the process sees
		s.reg[s.buf[actor][k]] = int(s.buf[actor][k+1])
	}
	s.state = p.step(s.state, actor)
	if c.op != 'w' && c.op != 's' {
		s.reg = memory
	}
	if c.op == 'W' {
		s.buf[actor] += string([]byte{byte(c.r), byte(c.v)})
	}
	return s, true
}

type storeBrute struct {
	states []storeState
	next   [][4]int // -1 where there is none
}

// exploreStores visits all states, unless they are more than most.
func exploreStores(p *program, most int) *storeBrute {
	b := &storeBrute{}
	number := map[storeState]int{}
	visit := func(s storeState) int {
		if _, ok := number[s]; !ok {
			number[s], b.states = len(b.states), append(b.states, s)
		}
		return number[s]
	}
	visit(storeState{state: state{at: [2]where{{'r', 0}, {'r', 0}}}})
	for i := 0; i < len(b.states); i++ {
		if len(b.states) > most {
			return nil
		}
		next := [4]int{-1, -1, -1, -1}
		for a := range next {
			if to, ok := p.storeStep(b.states[i], a); ok {
				next[a] = visit(to)
			}
		}
		b.next = append(b.next, next)
	}
	return b
}

// forever reports whether an execution that is fair to processes and buffers can
// stay forever among the states that in holds for, without entries if there must
// be none.
func (b *storeBrute) forever(in func(s storeState) bool, entries bool) bool {
	ok := func(from, a int) bool {
		to := b.next[from][a]
		return to >= 0 && in(b.states[to]) &&
			(entries || a > 1 || b.states[from].at[a].in == 'c' || b.states[to].at[a].in != 'c')
	}
	reach := make([][]bool, len(b.states))
	for s := range b.states {
		reach[s] = make([]bool, len(b.states))
		if !in(b.states[s]) {
			continue
		}
		for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
			for a := range 4 {
				if to := b.next[queue[0]][a]; ok(queue[0], a) && !reach[s][to] {
					reach[s][to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	for s := range b.states {
		if !reach[s][s] {
			continue
		}
		fair := [4]bool{}
		for t := range b.states {
			for a := range 4 {
				fair[a] = fair[a] || reach[s][t] && reach[t][s] && (b.next[t][a] < 0 || a < 2 && b.states[t].at[a].in == 'r' ||
					ok(t, a) && reach[b.next[t][a]][s])
			}
		}
		if fair == [4]bool{true, true, true, true} {
			return true
		}
	}
	return false
}

// bypass is the most entries of the other while i is in its entry section.
func (b *storeBrute) bypass(i int) int {
	most := make([]int, len(b.states))
	for changed := true; changed; {
		changed = false
		for s := range b.states {
			for a, to := range b.next[s] {
				if to < 0 || b.states[s].at[i].in != 'e' || b.states[to].at[i].in != 'e' {
					continue
				}
				k := most[to]
				if a == 1-i && b.states[to].at[a].in == 'c' && b.states[s].at[a].in != 'c' {
					k++
				}
				if k > most[s] {
					most[s], changed = k, true
				}
			}
		}
		if slices.Max(most) > len(b.states) {
			return -1
		}
	}
	return slices.Max(most)
}

func (b *storeBrute) verdicts() string {
	during := func(i int, in byte) func(storeState) bool { return func(s storeState) bool { return s.at[i].in == in } }
	any := func(in byte, entries bool) (can [2]bool) {
		for i := range can {
			can[i] = b.forever(during(i, in), entries)
		}
		return can
	}
	broken := slices.ContainsFunc(b.states, func(s storeState) bool { return s.at[0].in == 'c' && s.at[1].in == 'c' })
	deadlock, stuck := any('e', false), any('x', true)
	bypass := [2]int{b.bypass(0), b.bypass(1)}
	most := slices.Max(bypass[:])
	if slices.Contains(bypass[:], -1) {
		most = -1
	}
	return fmt.Sprintf("broken %t, deadlock %t, starved %v, stuck %t, bypass %d", broken, deadlock[0] || deadlock[1],
		any('e', true), stuck[0] || stuck[1], most)
}

// TestFuzzReleased checks random small locks with released stores twice: as Go
// source, by the checker, and by brute force.
func TestFuzzReleased(t *testing.T) {
	t.Parallel()
	programs := sample.Amount(60, 300)
	rnd := rand.New(rand.NewPCG(1986, 2010))
	dir := t.TempDir()
	var text bytes.Buffer
	all := make([]*program, programs)
	for i := range all {
		all[i] = randomProgram(rnd)
		for _, s := range [][]instr{all[i].entry[0], all[i].entry[1], all[i].exit[0], all[i].exit[1]} {
			for k := range s {
				if s[k].op == 'w' && rnd.IntN(3) > 0 {
					s[k].op = 'W'
				}
			}
		}
		all[i].write(&text, i)
	}
	// Pointers have no release stores.
	source := "package fuzz\n\nimport (\n\t\"sync/atomic\"\n\n\t\"shmbench/shm/register\"\n)\n\ntype note struct{ next atomic.Pointer[note] }\n" +
		strings.NewReplacer("atomic.Pointer", "atomic.Pointer", "atomic.", "register.").Replace(text.String())
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for name, text := range map[string]string{"fuzz.go": source, "go.mod": "module fuzz\n\ngo 1.26\n",
		"go.work": fmt.Sprintf("go 1.26.0\n\nuse (\n\t.\n\t%q\n)\n", root)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	src, err := check.Open(t.Context(), dir, ".")
	require.NoError(t, err)
	tally, compared := map[string]int{}, 0
	const most = 1500
	for i, p := range all {
		reports, err := src.Lock(t.Context(), fmt.Sprintf("New%d", i), check.Options{N: []int{2}, Workers: 1, MaxStates: most})
		require.NoError(t, err)
		r := reports[0]
		if r.Memory == "sc" || r.BufferedStores > 0 || !r.Exhausted {
			continue // no released store, or one in a loop that never waits for its buffer
		}
		b := exploreStores(p, most)
		if b == nil {
			continue
		}
		compared++
		require.Equal(t, b.verdicts(), verdicts(r), "program %d: %+v", i, *p)
		tally[verdicts(r)]++
	}
	t.Log(compared, tally)
	require.Greater(t, compared, programs/2)
	require.Greater(t, len(tally), 12, "too few kinds of locks to mean much: %v", tally)
}
