package check_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// A checker of locks whose processes crash by brute force. The entry section is executed
// again after a crash.

// crashState is a state with the marks of processes that have crashed.
type crashState struct {
	state
	crashed, owed [2]bool
}

func (s crashState) tries(i int) bool { return s.at[i].in == 'e' || s.crashed[i] }

// crashStep returns the state after the step of an actor: process 0 or 1, or 2 or 3, which
// crashes one, or both if system holds. ok says that it has one to make.
func (p *program) crashStep(s crashState, actor int, system bool) (_ crashState, ok bool) {
	if actor < 2 {
		was := s.at[actor].in
		s.state = p.step(s.state, actor)
		s.crashed[actor] = false
		if was != 'c' && s.at[actor].in == 'c' {
			s.owed[actor] = false
		}
		return s, true
	}
	for i := range 2 {
		if system && actor == 3 || !system && actor != 2+i || s.at[i].in == 'r' {
			continue
		}
		s.owed[i] = s.owed[i] || s.at[i].in == 'c'
		s.crashed[i], s.at[i], ok = true, where{'r', 0}, true
	}
	return s, ok
}

type crashBrute struct {
	states []crashState
	next   [][4]int // -1 where there is none
	system bool
	p      *program
}

func exploreCrashes(p *program, system bool) *crashBrute {
	b := &crashBrute{system: system, p: p}
	number := map[crashState]int{}
	visit := func(s crashState) int {
		if _, ok := number[s]; !ok {
			number[s], b.states = len(b.states), append(b.states, s)
		}
		return number[s]
	}
	visit(crashState{state: state{at: [2]where{{'r', 0}, {'r', 0}}}})
	for i := 0; i < len(b.states); i++ {
		next := [4]int{-1, -1, -1, -1}
		for a := range next {
			if to, ok := p.crashStep(b.states[i], a, system); ok {
				next[a] = visit(to)
			}
		}
		b.next = append(b.next, next)
	}
	return b
}

// crashes reports whether an actor crashes a process in a state.
func (b *crashBrute) crashes(s, actor, i int) bool {
	return actor >= 2 && (b.system && actor == 2 || !b.system && actor == 2+i) && b.states[s].at[i].in != 'r'
}

// cycles visits, for each state of a fair cycle among the states that in holds for, by the
// steps that by allows, the edges of its component: a state and an actor each.
func (b *crashBrute) cycles(in func(s crashState) bool, by func(s, a int) bool, visit func(edges [][2]int)) {
	ok := func(s, a int) bool {
		return b.next[s][a] >= 0 && in(b.states[s]) && in(b.states[b.next[s][a]]) && by(s, a)
	}
	reach := make([][]bool, len(b.states))
	for s := range b.states {
		reach[s] = make([]bool, len(b.states))
		for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
			for a := range 4 {
				if ok(queue[0], a) && !reach[s][b.next[queue[0]][a]] {
					reach[s][b.next[queue[0]][a]] = true
					queue = append(queue, b.next[queue[0]][a])
				}
			}
		}
	}
	for s := range b.states {
		if !reach[s][s] {
			continue
		}
		var edges [][2]int
		fair := [2]bool{}
		for t := range b.states {
			if !reach[s][t] || !reach[t][s] {
				continue
			}
			for i := range 2 {
				fair[i] = fair[i] || b.states[t].at[i].in == 'r' && !b.states[t].crashed[i]
			}
			for a := range 4 {
				if ok(t, a) && reach[b.next[t][a]][s] {
					edges = append(edges, [2]int{t, a})
					if a < 2 {
						fair[a] = true
					}
				}
			}
		}
		if fair[0] && fair[1] {
			visit(edges)
		}
	}
}

func (b *crashBrute) forever(in func(s crashState) bool, by func(s, a int) bool) (can bool) {
	b.cycles(in, by, func([][2]int) { can = true })
	return can
}

// strongly reports whether process i can try forever while the other one crashes in a cycle
// only if it completes a passage there.
func (b *crashBrute) strongly(i int) (starves bool) {
	tries := func(s crashState) bool { return s.tries(i) }
	b.cycles(tries, func(s, a int) bool { return !b.crashes(s, a, i) }, func(edges [][2]int) {
		crashes := slices.ContainsFunc(edges, func(e [2]int) bool { return b.crashes(e[0], e[1], 1-i) })
		completes := slices.ContainsFunc(edges, func(e [2]int) bool {
			return e[1] == 1-i && b.states[e[0]].at[1-i].in != 'r' && b.states[b.next[e[0]][e[1]]].at[1-i].in == 'r'
		})
		starves = starves || !crashes || completes
	})
	return starves || b.forever(tries, func(_, a int) bool { return a < 2 })
}

// steps is the most own steps of a process from states that in holds for; the last one
// may lead out of them, or -1.
func (b *crashBrute) steps(in func(s crashState, i int) bool) int {
	all := 0
	for i := range 2 {
		most := make([]int, len(b.states))
		for changed := true; changed; {
			changed = false
			for s := range b.states {
				for a := range 4 {
					to := b.next[s][a]
					if to < 0 || b.crashes(s, a, i) || !in(b.states[s], i) {
						continue
					}
					k := 0
					if in(b.states[to], i) {
						k = most[to]
					}
					if a == i {
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
		all = max(all, slices.Max(most))
	}
	return all
}

// inLoop returns the instructions of process i's entry section from which it comes, with the values
// that registers have in any state, back to themselves, and those that follow them.
func (b *crashBrute) inLoop(i int) (loop map[int]bool) {
	code := b.p.entry[i]
	from := func(pc int) (to []int) {
		for _, v := range []int{0, 1} {
			var s state
			s.reg[code[pc].r], s.at[i] = v, where{'e', pc}
			if w := b.p.step(s, i).at[i]; w.in == 'e' && slices.ContainsFunc(b.states, func(s crashState) bool { return s.reg[code[pc].r] == v }) {
				to = append(to, w.pc)
			}
		}
		return to
	}
	after := func(pc int) map[int]bool {
		seen := map[int]bool{}
		for queue := from(pc); len(queue) > 0; queue = queue[1:] {
			if !seen[queue[0]] {
				seen[queue[0]] = true
				queue = append(queue, from(queue[0])...)
			}
		}
		return seen
	}
	loop = map[int]bool{}
	for pc := range code {
		if reached := after(pc); reached[pc] {
			maps.Copy(loop, reached)
		}
	}
	return loop
}

// overtaken reports whether a process enters before another one that was past its doorway when
// the first began. With keeps, that other one may crash in between.
func (b *crashBrute) overtaken(keeps bool) bool {
	for i := range 2 {
		loop := b.inLoop(i)
		waits := func(s crashState) bool { return s.at[i].in == 'e' && loop[s.at[i].pc] }
		seen := make([]bool, len(b.states))
		var queue []int
		for s := range b.states {
			if waits(b.states[s]) && b.states[s].at[1-i].in == 'r' && !b.states[s].crashed[1-i] {
				seen[s], queue = true, append(queue, s)
			}
		}
		for ; len(queue) > 0; queue = queue[1:] {
			for a, to := range b.next[queue[0]] {
				if to < 0 || !waits(b.states[to]) && !(keeps && b.states[to].tries(i)) {
					continue
				}
				if a == 1-i && b.states[to].at[a].in == 'c' && b.states[queue[0]].at[a].in != 'c' {
					return true
				}
				if !seen[to] {
					seen[to], queue = true, append(queue, to)
				}
			}
		}
	}
	return false
}

// order says how far processes enter in the order of their doorways.
func (b *crashBrute) order() string {
	for i := range 2 {
		if b.inLoop(i)[0] {
			return string(check.NoDoorway)
		}
	}
	return fmt.Sprintf("passed %t, passed after a crash %t", b.overtaken(false), b.overtaken(true))
}

func crashOrder(r *check.Report) string {
	if r.FCFS == check.NoDoorway {
		return string(check.NoDoorway)
	}
	return fmt.Sprintf("passed %t, passed after a crash %t", r.FCFS == check.Violated, r.Crashes.StrongFCFS == check.Violated)
}

func (b *crashBrute) verdicts() string {
	broken := slices.ContainsFunc(b.states, func(s crashState) bool { return s.at[0].in == 'c' && s.at[1].in == 'c' })
	reentry := slices.ContainsFunc(b.states, func(s crashState) bool {
		return (s.owed[0] || s.owed[1]) && (s.at[0].in == 'c' || s.at[1].in == 'c')
	})
	calm := func(_, a int) bool { return a < 2 }
	deadlock, starved, strong, stuck := false, false, false, false
	b.cycles(func(crashState) bool { return true }, func(s, a int) bool {
		return a < 2 && (b.states[s].at[a].in == 'c' || b.next[s][a] < 0 || b.states[b.next[s][a]].at[a].in != 'c')
	}, func(edges [][2]int) {
		deadlock = deadlock || slices.ContainsFunc(edges, func(e [2]int) bool { return b.states[e[0]].tries(0) || b.states[e[0]].tries(1) })
	})
	for i := range 2 {
		starved = starved || b.forever(func(s crashState) bool { return s.tries(i) }, calm)
		strong = strong || b.strongly(i)
		stuck = stuck || b.forever(func(s crashState) bool { return s.at[i].in == 'x' }, calm)
	}
	exit := b.steps(func(s crashState, i int) bool { return s.at[i].in == 'x' })
	if exit >= 0 {
		exit++
	}
	return fmt.Sprintf("broken %t, reentry %t, deadlock %t, starved %t, strongly %t, stuck %t, re-entry %d, exit %d",
		broken, reentry, deadlock, starved, strong, stuck, b.steps(func(s crashState, i int) bool { return s.owed[i] }), exit)
}

func crashVerdicts(r *check.Report) string {
	no := func(v check.Verdict) bool { return v == check.Violated }
	return fmt.Sprintf("broken %t, reentry %t, deadlock %t, starved %t, strongly %t, stuck %t, re-entry %d, exit %d",
		no(r.MutualExclusion), no(r.Crashes.Reentry), no(r.DeadlockFreedom), no(r.StarvationFreedom), no(r.Crashes.StrongStarvationFreedom),
		no(r.ExitProgress), *r.Crashes.ReentrySteps, *r.Crashes.ExitSteps)
}

// rarePrograms are two locks that random programs seldom are: Peterson's, in which a process that
// executes its entry section again after a crash loses its place, and a test-and-set lock with a
// store before the contest, in which a process has no place.
func rarePrograms() []*program {
	peterson, contest := new(program), new(program)
	for i := range 2 {
		peterson.entry[i] = section{{op: 'w', r: i, v: 1}, {op: 'w', r: 2, v: i}, {op: 'j', r: 1 - i, v: 0, k: 5}, {op: 'j', r: 2, v: 1 - i, k: 5}, {op: 'j', r: 2, v: i, k: 2}}
		peterson.exit[i] = section{{op: 'w', r: i}}
		contest.entry[i] = section{{op: 'w', r: i, v: 1}, {op: 's', r: 2, v: 1, k: 1}}
		contest.exit[i] = section{{op: 'w', r: 2}}
	}
	return []*program{peterson, contest}
}

func crashCosts(r *check.Report) string {
	c := r.Crashes.RMR
	return fmt.Sprintf("through %d, back %d, dsm %d", *c.WriteThrough.Among, *c.WriteBack.Among, *c.DSM.Among)
}

// TestFuzzCrashes checks random small locks whose processes crash twice: as Go source, by
// the checker, and by brute force.
func TestFuzzCrashes(t *testing.T) {
	t.Parallel()
	programs := sample.Amount(25, 120)
	rnd := rand.New(rand.NewPCG(2016, 1))
	dir := t.TempDir()
	var text bytes.Buffer
	all, rare := make([]*program, programs), rarePrograms()
	for i := range all {
		all[i] = randomProgram(rnd)
		if i < len(rare) {
			all[i] = rare[i]
		}
		all[i].write(&text, i)
	}
	source := "package fuzz\n\nimport \"sync/atomic\"\n\ntype note struct{ next atomic.Pointer[note] }\n" + text.String()
	for name, text := range map[string]string{"fuzz.go": source, "go.mod": "module fuzz\n\ngo 1.26\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	src, err := check.Open(t.Context(), dir, ".")
	require.NoError(t, err)
	tally, orders, compared := map[string]int{}, map[string]int{}, 0
	for i, p := range all {
		for _, system := range []bool{false, true} {
			b := exploreCrashes(p, system)
			if len(b.states) > 600 {
				continue
			}
			reports, err := src.Lock(t.Context(), fmt.Sprintf("New%d", i), check.Options{N: []int{2}, Workers: 1, Crashes: &check.Crashes{System: system}})
			require.NoError(t, err)
			if !reports[0].Exhausted {
				continue
			}
			require.Equal(t, b.verdicts(), crashVerdicts(reports[0]), "program %d, system %t: %+v", i, system, *p)
			require.Equal(t, b.order(), crashOrder(reports[0]), "program %d, system %t: %+v", i, system, *p)
			orders[b.order()]++
			require.Equal(t, p.costs(b), crashCosts(reports[0]), "program %d, system %t: %+v", i, system, *p)
			compared++
			tally[b.verdicts()]++
		}
	}
	t.Log(compared, tally, orders)
	require.Greater(t, compared, programs/2)
	require.Greater(t, len(tally), 10, "too few kinds of locks to mean much: %v", tally)
	require.Len(t, orders, 4, "not all kinds of orders: %v", orders)
}
