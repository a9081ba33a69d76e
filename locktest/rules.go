package locktest

import "shmbench/shm"

// rule is one thing that a lock must do: for each number of processes that
// procs returns, check returns what is wrong, or nil.
type rule struct {
	name  string
	procs func(*suite) []int
	check func(s *suite, n int) error
}

// rules are in the order in which they are checked: what can be seen without
// running comes first, and what presupposes exclusion comes after it.
var rules = []rule{
	{"specification agrees with itself", aboutSpec, func(s *suite, _ int) error { return claims(s.a) }},
	{"New refuses a wrong n", aboutSpec, func(s *suite, _ int) error { return refuses(s.a) }},
	{"misuse panics under shm.Checked", small, misuse},
	{"sequential reuse", func(s *suite) []int { return s.o.Procs }, reuse},
	{"exclusion", func(s *suite) []int { return s.o.Procs }, exclusion},
	{"exclusion with GOMAXPROCS=1", where(always, 2, 4), exclusionOneProcessor},
	{"exclusion with more goroutines than processors", where(always, 12), exclusionCrowded},
	{"exclusion under contention", where(always, 2, 3, 4), contended},
	{"exclusion in all modes", modal(notExclusive, 2, 4), exclusionOfModes},
	{"entries that fail leave no trace", modal(shm.Mode.MayFail, 2, 3), failure},
	{"readers enter together", concurrent, together},
	{"first-come-first-served", where(fcfs, 2, 3, 5), order},
	{"bypass bound", where(bounded, 2, 3, 5), bypass},
	{"no process starves", where(starvationFree, 2, 3, 5), starvation},
}

// Rules returns the names of the rules, in the order in which they are
// checked. A rule that a specification does not claim is not checked.
func Rules() []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

func aboutSpec(*suite) []int { return []int{0} }

// small is one small number of processes.
func small(s *suite) []int { return []int{max(s.a.MinProcs, min(2, s.a.MaxProcs))} }

// where returns those of the numbers that the specification allows, and at which it
// claims what is to be checked.
func where(claimed func(shm.Claims, int) bool, numbers ...int) func(*suite) []int {
	return func(s *suite) []int {
		var ns []int
		for _, n := range numbers {
			if n >= s.a.MinProcs && n <= s.a.MaxProcs && claimed(s.a.Claims, n) {
				ns = append(ns, n)
			}
		}
		return ns
	}
}

func always(shm.Claims, int) bool             { return true }
func fcfs(c shm.Claims, _ int) bool           { return c.FCFS }
func bounded(c shm.Claims, n int) bool        { return c.Bypass.Of(n) != shm.Unbounded }
func starvationFree(c shm.Claims, _ int) bool { return c.StarvationFree }
