package model_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/check/internal/model"
)

func TestX(t *testing.T) {
	t0 := time.Now()
	prog, err := load.Load(context.Background(), ".", "shmbench/catalog")
	require.NoError(t, err)
	t.Log("load", time.Since(t0))
	for _, c := range []struct {
		name string
		n, k int
	}{{"peterson/peterson", 2, 0}, {"tournament/peterson", 4, 0}, {"bakery/lamport", 3, 2}, {"bakery/lamport", 2, 0}, {"bakery/lamport", 3, 3},
		{"peterson/asymmetric", 2, 0}, {"peterson/priority", 2, 0}, {"peterson/filter", 3, 0}, {"tournament/priority", 3, 0},
		{"tas/tas", 3, 0}, {"tas/ttas", 3, 0}, {"tas/backoff", 3, 0}, {"cas/cas", 3, 0}, {"cas/testfirst", 3, 0}, {"queue/ticket", 3, 0}, {"queue/anderson", 3, 0}, {"queue/mcs", 3, 0}, {"queue/clh", 3, 0},{"queue/clh-packed", 3, 0},
		} {
		t0 = time.Now()
		build := func(n int) (*interp.Machine, error) {
			m := interp.New(prog)
			if err := m.Init(); err != nil {
				return nil, err
			}
			card, err := m.Card("All", c.name)
			if err != nil {
				return nil, err
			}
			return m, m.Build(card, n)
		}
		l, err := model.Learn(context.Background(), build, c.n, model.Options{Passages: c.k})
		if err != nil {
			t.Error(c.name, err)
			continue
		}
		t1 := time.Now()
		for w := 1; w <= 2; w++ {
			g := explore.Run(context.Background(), explore.NewSC(l.Model), explore.Options{Workers: w})
			t.Log(c.name, c.n, l.Passages, "states", g.States, "edges", g.Edges, "depth", g.Depth, g.Bad, "raw", len(l.Learner.Procs[0].States), "min", len(l.Model.Procs[0].Local), t1.Sub(t0), g.Elapsed, g.Bytes/int64(g.States))
		}
	}
}
