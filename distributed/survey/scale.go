package survey

import (
	"context"
	"fmt"
	"math"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/permission"
	"shmbench/distributed/sim"
)

// A ScalePoint is what an entry costs on n nodes of one thread.
type ScalePoint struct {
	Algorithm string     `json:"algorithm"`
	Nodes     int        `json:"nodes"`
	Idle      sim.Number `json:"no_load_messages_per_entry"`
	IdleHalf  sim.Number `json:"no_load_half_width"`
	Busy      sim.Number `json:"full_load_messages_per_entry"`
	BusyHalf  sim.Number `json:"full_load_half_width"`

	// Why a cost is null.
	IdleLeftOut string `json:"no_load_left_out,omitempty"`
	BusyLeftOut string `json:"full_load_left_out,omitempty"`
}

// Budgets of one run: a system whose nodes would together have more messages
// under way, or whose entries cost more, is left out, or measured over fewer
// entries.
const (
	messagesAtOnce = 3 << 20
	messagesARun   = 1_000_000
)

// Scale measures messages an entry against the numbers of nodes, at no load and at full
// load. There are at least two numbers, in ascending order. Points too large for one
// machine are left out, and say so. When ctx is canceled it returns the points that are
// complete, with the error.
func Scale(ctx context.Context, algorithms []*distributed.Algorithm, nodes []int, seed uint64, progress func(done, of int)) ([]ScalePoint, error) {
	if len(nodes) < 2 || !slices.IsSorted(nodes) {
		return nil, fmt.Errorf("nodes %v: want at least two numbers, the lowest first", nodes)
	}
	var points []ScalePoint
	for i, a := range algorithms {
		sends, err := restless(ctx, onGrid(a, nodes[0]))
		if err != nil {
			return points, err
		}
		idle, busy := curve{restless: sends}, curve{}
		for _, n := range nodes {
			p := ScalePoint{Algorithm: a.Name, Nodes: n}
			if p.Idle, p.IdleHalf, err = idle.next(ctx, a, n, seed, sim.Single(), &p.IdleLeftOut); err != nil {
				return points, err
			}
			if p.Busy, p.BusyHalf, err = busy.next(ctx, a, n, seed, fullLoad(n, 1), &p.BusyLeftOut); err != nil {
				return points, err
			}
			points = append(points, p)
		}
		if progress != nil {
			progress(i+1, len(algorithms))
		}
	}
	return points, nil
}

// onGrid is a on n nodes, with quorums from a grid. There is a grid for every n, so that
// the quorum grows and its kind stays.
func onGrid(a *distributed.Algorithm, n int) Subject {
	s := Subject{a, distributed.Config{Nodes: n, Threads: 1}, 1}
	if a.Quorums {
		s.System.Quorums = permission.Grid(n)
	}
	return s
}

// curve predicts the next point from the last two.
type curve struct {
	restless        bool // count messages sent while a thread asks
	n, before       int
	cost, costThere float64
}

func (c *curve) predict(n int) float64 {
	switch {
	case c.n == 0:
		return float64(3 * n) // the most expensive algorithm's
	case c.before == 0 || c.cost <= 0 || c.costThere <= 0:
		return c.cost * float64(n) / float64(c.n)
	}
	exponent := math.Log(c.cost/c.costThere) / math.Log(float64(c.n)/float64(c.before))
	return c.cost * math.Pow(float64(n)/float64(c.n), max(0, exponent))
}

func (c *curve) next(ctx context.Context, a *distributed.Algorithm, n int, seed uint64, l sim.Load, leftOut *string) (mean, half sim.Number, err error) {
	predicted := c.predict(n)
	none := sim.Number(math.NaN())
	// Who sends to a share of all keeps something of a share of all.
	if predicted*float64(n) > 20*messagesAtOnce || l != sim.Single() && predicted*float64(n) > messagesAtOnce {
		*leftOut = fmt.Sprintf("about %.0f messages an entry would be too many for one machine", predicted)
		return none, none, nil
	}
	const runs = 4
	o := options(onGrid(a, n), seed, l, max(50, min(20*n, 20_000, int(messagesARun/max(1, predicted)))))
	o.Warmup = min(2*n, o.Entries)
	results, err := sim.Replicate(ctx, o, runs)
	if err != nil {
		return none, none, err
	}
	if s := sim.Summarize(results); s.End != sim.Complete {
		*leftOut = fmt.Sprintf("%v: %s", s.End, s.Detail)
		return none, none, nil
	}
	i := sim.Across(results, func(r *sim.Result) float64 {
		return float64(asked(r, c.restless)) / float64(r.Entries)
	})
	c.before, c.costThere, c.n, c.cost = c.n, c.cost, n, i.Mean
	return sim.Number(i.Mean), sim.Number(i.Half), nil
}
