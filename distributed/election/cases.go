package election

import (
	"math/bits"
	"slices"

	"shmbench/distributed"
)

// A Case is a situation for which the literature gives the number of messages of an
// election.
type Case struct {
	Name string // such as "best"
	What string // the situation in words

	Formula  string
	Messages func(n int) float64
	AtMost   bool               // the formula is a bound, to be kept on every ring
	Counts   []distributed.Kind // the formula is an upper bound that holds on every ring
	Over     Rings              // the kinds of messages that the formula counts
	Contest  func(c *Contest)   // sets up the dead nodes and the initiators of a contest of c.Config.Nodes nodes
}

// Rings says on which rings a case holds.
type Rings uint8

const (
	Ascending  Rings = iota // 0 to n−1
	Descending              // n−1 to 0
	AllRings                // the mean over all orders, or a bound that no order exceeds
)

// Descend returns the ring of n nodes in which every node except the first is
// lower than the node before it.
func Descend(n int) []distributed.ID {
	ring := make([]distributed.ID, n)
	for i := range ring {
		ring[i] = distributed.ID(n - 1 - i)
	}
	return ring
}

// Orders calls do with each ring of n nodes once. Rotations count as the same
// ring: node 0 is first in all (n−1)! of them. do must not keep ring after it
// returns.
func Orders(n int, do func(ring []distributed.ID)) {
	ring := Descend(n)
	slices.Reverse(ring)
	var place func(k int)
	place = func(k int) {
		if k == n {
			do(ring)
			return
		}
		for j := k; j < n; j++ {
			ring[k], ring[j] = ring[j], ring[k]
			place(k + 1)
			ring[k], ring[j] = ring[j], ring[k]
		}
	}
	place(1)
}

// all makes all nodes begin, while no process leads.
func all(c *Contest) {
	c.Config.First = true
	c.Initiators = Descend(c.Config.Nodes)
	slices.Reverse(c.Initiators)
}

var (
	bullySends = []distributed.Kind{distributed.Election, distributed.OK, distributed.Leader}
	candidacy  = []distributed.Kind{distributed.Election}
	probes     = []distributed.Kind{distributed.Election, distributed.Reply}
	toldAll    = []distributed.Kind{distributed.Election, distributed.Leader}
)

// leaderDead makes initiator i of n find the leader dead.
func leaderDead(i func(n int) int) func(c *Contest) {
	return func(c *Contest) {
		n := c.Config.Nodes
		c.Dead, c.Initiators = []distributed.ID{distributed.ID(n - 1)}, []distributed.ID{distributed.ID(i(n))}
	}
}

var bullyCases = []Case{
	{
		Name: "best", What: "the next highest finds the leader dead", Formula: "n", Messages: func(n int) float64 { return float64(n) },
		Counts: bullySends, Contest: leaderDead(func(n int) int { return n - 2 }),
	},
	{
		Name: "one, worst", What: "the lowest finds the leader dead", Formula: "n(n−1)", Messages: func(n int) float64 { return float64(n * (n - 1)) },
		Counts: bullySends, Contest: leaderDead(func(int) int { return 0 }),
	},
	{
		Name: "false alarm", What: "all suspect a living leader, the highest first; ELECTION alone", Formula: "C(n+1,3)",
		Messages: func(n int) float64 { return float64((n + 1) * n * (n - 1) / 6) },
		Counts:   candidacy, Contest: func(c *Contest) { c.Initiators = Descend(c.Config.Nodes) },
	},
}

var ringCases = []Case{
	{
		Name: "one", What: "one begins", Formula: "2n−1", Messages: func(n int) float64 { return float64(2*n - 1) },
		Counts: toldAll, Over: AllRings, Contest: func(c *Contest) { c.Config.First, c.Initiators = true, []distributed.ID{0} },
	},
	{
		Name: "all", What: "all begin", Formula: "n(2n−1)", Messages: func(n int) float64 { return float64(n * (2*n - 1)) },
		Counts: toldAll, Over: AllRings, Contest: all,
	},
}

var changRobertsCases = []Case{
	{Name: "best", What: "all begin, the ring ascends", Formula: "2n−1", Messages: func(n int) float64 { return float64(2*n - 1) }, Counts: candidacy, Contest: all},
	{Name: "worst", What: "all begin, the ring descends", Formula: "n(n+1)/2", Messages: func(n int) float64 { return float64(n * (n + 1) / 2) }, Counts: candidacy, Over: Descending, Contest: all},
	{Name: "mean", What: "all begin, over all rings", Formula: "n·H(n)", Messages: func(n int) float64 { return float64(n) * harmonic(n) }, Counts: candidacy, Over: AllRings, Contest: all},
	{
		Name: "one, worst", What: "the one just behind the highest begins", Formula: "2n−1", Messages: func(n int) float64 { return float64(2*n - 1) },
		Counts: candidacy, Contest: func(c *Contest) { c.Config.First, c.Initiators = true, []distributed.ID{0} },
	},
}

var hirschbergSinclairCases = []Case{{
	Name: "worst", What: "all begin, on any ring; probes and replies", Formula: "8n(1+⌈log₂ n⌉)",
	Messages: func(n int) float64 { return float64(8 * n * (1 + bits.Len(uint(n-1)))) },
	AtMost:   true, Counts: probes, Over: AllRings, Contest: all,
}}

var petersonCases = []Case{
	{Name: "best", What: "all begin, the ring ascends", Formula: "3n−1", Messages: func(n int) float64 { return float64(3*n - 1) }, Counts: candidacy, Contest: all},
	{
		Name: "worst", What: "all begin, on any ring", Formula: "2n⌊log₂ n⌋+n",
		Messages: func(n int) float64 { return float64(2*n*(bits.Len(uint(n))-1) + n) },
		AtMost:   true, Counts: candidacy, Over: AllRings, Contest: all,
	},
}

func harmonic(n int) float64 {
	h := 0.0
	for k := 1; k <= n; k++ {
		h += 1 / float64(k)
	}
	return h
}
