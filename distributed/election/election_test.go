package election

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// hold lets the initiators among n nodes suspect the leader. Some nodes are dead.
func hold(t *testing.T, a Algorithm, c Config, dead, initiators []distributed.ID) *Outcome {
	t.Helper()
	o, err := Hold(t.Context(), Contest{Algorithm: &a, Config: c, Dead: dead, Initiators: initiators})
	require.NoError(t, err)
	return o
}

func TestHighestWins(t *testing.T) {
	for _, a := range All {
		for n := 3; n <= 9; n++ {
			for i := range distributed.ID(n - 1) {
				c, dead, want := Config{Nodes: n, First: true}, []distributed.ID(nil), n-1
				if a.Crash {
					c.First, dead, want = false, []distributed.ID{distributed.ID(n - 1)}, n-2
				}
				o := hold(t, *a, c, dead, []distributed.ID{i})
				require.True(t, o.Agreed, "%s n=%d from %d: %s", a.Name, n, i, o.Detail)
				require.Equal(t, distributed.ID(want), o.Leader, "%s n=%d from %d", a.Name, n, i)
			}
		}
	}
}

// For every order of the ring, every initiator and every set of dead nodes, all live
// nodes follow the highest of them, or the lowest where the case asks for it.
func TestRandomContests(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a := All[r.IntN(len(All))]
		n := 2 + r.IntN(12)
		c := Contest{Algorithm: a, Config: Config{Nodes: n, First: r.IntN(2) == 0, Lowest: a.Picks && r.IntN(2) == 0}}
		nodes := func() (ids []distributed.ID) {
			for _, i := range r.Perm(n) {
				ids = append(ids, distributed.ID(i))
			}
			return ids
		}
		if a.Ring {
			c.Config.Ring = nodes()
		}
		some := nodes()
		if a.Crash {
			c.Dead = slices.Clone(some[:r.IntN(n)])
			some = some[len(c.Dead):]
		}
		c.Initiators = some[:1+r.IntN(len(some))]
		o, err := Hold(t.Context(), c)
		require.NoError(t, err)
		require.True(t, o.Agreed, "%s %+v: %s", a.Name, c, o.Detail)
		want := slices.Max(some)
		if c.Config.Lowest {
			want = slices.Min(some)
		}
		if old := distributed.ID(n - 1); a.Name == "bully" && !c.Config.First && slices.Contains(some, old) {
			want = old // which answers that it leads
		}
		require.Equal(t, want, o.Leader, "%s %+v", a.Name, c)
	}
}

// The outcome of a broken election shows that it is broken.
func TestBrokenElectionsDoNotAgree(t *testing.T) {
	broken := func(name string) Algorithm {
		at := slices.IndexFunc(Mutants, func(a *Algorithm) bool { return a.Name == name })
		return *Mutants[at]
	}
	o := hold(t, broken("peterson-ring-no-equal"), Config{Nodes: 4, First: true}, nil, []distributed.ID{0, 1})
	require.False(t, o.Agreed)
	require.Equal(t, "node 0 follows no node", o.Detail)
	o = hold(t, broken("ring-elects-last"), Config{Nodes: 4, First: true}, nil, []distributed.ID{2})
	require.True(t, o.Agreed)
	require.Equal(t, distributed.ID(1), o.Leader, "not the highest")
	o = hold(t, Peterson, Config{Nodes: 4}, []distributed.ID{3}, []distributed.ID{0})
	require.False(t, o.Agreed)
	require.Equal(t, "node 0 follows node 3, which is dead", o.Detail, "it survives no crash, and does not claim to")
}

// Every case of every specification comes out as its formula says, on rings of all orders
// where it is about all.
func TestCases(t *testing.T) {
	for _, a := range All {
		require.NotEmpty(t, a.Cases)
		for _, c := range a.Cases {
			for n := 2; n <= 6; n++ {
				least, sum, rings := math.MaxFloat64, 0.0, 0
				most := 0.0
				each(c.Over, n, func(ring []distributed.ID) {
					contest := Contest{Algorithm: a, Config: Config{Nodes: n, Ring: ring}}
					c.Contest(&contest)
					o, err := Hold(t.Context(), contest)
					require.NoError(t, err)
					require.True(t, o.Agreed, o.Detail)
					sent := float64(o.Total(c.Counts...))
					least, most, sum, rings = min(least, sent), max(most, sent), sum+sent, rings+1
				})
				want := c.Messages(n)
				if c.AtMost {
					require.LessOrEqual(t, most, want, "%s, %s, n=%d", a.Name, c.Name, n)
				} else {
					require.InDelta(t, want, sum/float64(rings), 1e-9, "%s, %s, n=%d", a.Name, c.Name, n)
				}
			}
		}
	}
}

// each calls do with the rings. Where there are several, they have the same first node.
func each(over Rings, n int, do func(ring []distributed.ID)) {
	switch over {
	case Ascending:
		do(nil)
	case Descending:
		do(Descend(n))
	default:
		Orders(n, do)
	}
}

// By kind: what the catalog of worked examples counts.
func TestMessagesByKind(t *testing.T) {
	const n = 8
	dead := []distributed.ID{n - 1}
	o := hold(t, Bully, Config{Nodes: n}, dead, []distributed.ID{0})
	require.EqualValues(t, n*(n-1)/2, o.Messages[distributed.Election], "the lowest sets off everybody")
	require.EqualValues(t, (n-1)*(n-2)/2, o.Messages[distributed.OK])
	require.EqualValues(t, n-1, o.Messages[distributed.Leader])
	require.Equal(t, n-2, o.AtOnce, "all that are up, but the highest of them, which asks only the dead")
	for n, want := range map[int]int64{6: 35, 8: 84, 16: 680} {
		o = hold(t, Bully, Config{Nodes: n}, nil, Descend(n))
		require.Equal(t, want, o.Messages[distributed.Election])
	}

	o = hold(t, Ring, Config{Nodes: n}, dead, []distributed.ID{3})
	require.EqualValues(t, n, o.Messages[distributed.Election], "once round, and one try at the dead")
	require.EqualValues(t, n-2, o.Messages[distributed.Leader])
	require.EqualValues(t, n-1, o.Messages[distributed.Ack])
	require.Equal(t, 1, o.AtOnce)
	require.InDelta(t, float64(n-1)+2*tick/1000.0+1, o.Time, 1e-9, "n−1 hops, a timeout of two ticks, and the announcement")

	o = hold(t, ChangRoberts, Config{Nodes: n}, dead, []distributed.ID{0, 3})
	require.Equal(t, []int{7, 2}, []int{o.Candidates, o.AtOnce}, "each puts its own in the place of a lower one")

	ring := []distributed.ID{2, 0, 3, 1} // 3,1,4,2 counted from 1
	o = hold(t, Peterson, Config{Nodes: 4, First: true, Ring: ring}, nil, []distributed.ID{0, 1, 2, 3})
	require.EqualValues(t, 16, o.Messages[distributed.Election])
	o = hold(t, HirschbergSinclair, Config{Nodes: 3, First: true}, nil, []distributed.ID{0, 1, 2})
	require.EqualValues(t, 16, o.Messages[distributed.Election])
	require.EqualValues(t, 7, o.Messages[distributed.Reply])
	require.EqualValues(t, 3, o.Messages[distributed.Leader])
}

func TestNewRefuses(t *testing.T) {
	for _, a := range All {
		_, err := a.New(Config{Nodes: 1})
		require.EqualError(t, err, "1 nodes: an election wants 2 to 1048576")
		_, err = a.New(Config{Nodes: 3, Ring: []distributed.ID{0, 1}})
		require.EqualError(t, err, "a ring of 2 for 3 nodes")
		_, err = a.New(Config{Nodes: 3, Ring: []distributed.ID{0, 1, 1}})
		require.EqualError(t, err, "the ring [0 1 1]: each of 0..2 is on it once")
	}
}

func TestContestRefuses(t *testing.T) {
	ids := func(ids ...distributed.ID) []distributed.ID { return ids }
	for says, c := range map[string]Contest{
		"bully runs on no ring": {Algorithm: &Bully, Config: Config{Nodes: 2, Ring: ids(1, 0)}, Initiators: ids(0)},
		"bully always elects the highest node: -pick lowest is for other algorithms": {Algorithm: &Bully, Config: Config{Nodes: 2, Lowest: true}, Initiators: ids(0)},
		"all 2 nodes are dead: at least one is up":                                   {Algorithm: &Bully, Config: Config{Nodes: 2}, Dead: ids(0, 1), Initiators: ids(0)},
		"no initiator: no node would begin an election":                              {Algorithm: &Bully, Config: Config{Nodes: 2}},
		"dead: there is no node 2 among 0..1":                                        {Algorithm: &Bully, Config: Config{Nodes: 2}, Dead: ids(2), Initiators: ids(0)},
		"initiators: node 0 is named twice":                                          {Algorithm: &Bully, Config: Config{Nodes: 2}, Initiators: ids(0, 0)},
		"initiators: node 0 is dead":                                                 {Algorithm: &Bully, Config: Config{Nodes: 2}, Dead: ids(0), Initiators: ids(0)},
		"1 nodes: an election wants 2 to 1048576":                                    {Algorithm: &Bully, Config: Config{Nodes: 1}, Initiators: ids(0)},
	} {
		_, err := Hold(t.Context(), c)
		require.EqualError(t, err, says)
	}
}
