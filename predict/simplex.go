package predict

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// vertex is a point and its cost.
type vertex struct {
	x []float64
	f float64
}

// search is a simplex of Nelder and Mead: the vertices, the best first, one more than
// there are dimensions.
type search struct {
	all  []vertex
	cost func([]float64) float64
}

// simplex returns the best point that it found from a start.
func simplex(ctx context.Context, start []float64, step float64, cost func([]float64) float64, more func() bool) []float64 {
	s := search{[]vertex{{start, cost(start)}}, cost}
	for i := range start {
		x := slices.Clone(start)
		x[i] += step
		s.all = append(s.all, vertex{x, cost(x)})
	}
	for s.order(); s.wide() && more() && ctx.Err() == nil; s.order() {
		s.step()
	}
	return s.all[0].x
}

func (s *search) order() {
	slices.SortStableFunc(s.all, func(a, b vertex) int { return cmp.Compare(a.f, b.f) })
}

// wide reports whether the vertices are not yet as good as one point.
func (s *search) wide() bool {
	for _, v := range s.all[1:] {
		for i, x := range v.x {
			if math.Abs(x-s.all[0].x[i]) > 0.003 {
				return true
			}
		}
	}
	return false
}

// step replaces the worst vertex, or shrinks the simplex.
func (s *search) step() {
	n := len(s.all) - 1
	worst := &s.all[n]
	next := s.along(-1)
	switch {
	case next.f < s.all[0].f:
		if further := s.along(-2); further.f < next.f {
			next = further
		}
	case next.f >= s.all[n-1].f:
		t := 0.5
		if next.f < worst.f {
			t = -0.5
		}
		if inner := s.along(t); inner.f < min(next.f, worst.f) {
			next = inner
		} else if next.f >= worst.f {
			s.shrink()
			return
		}
	}
	*worst = next
}

// along returns the vertex on the line from the center of the others (0) to the worst one (1).
func (s *search) along(t float64) vertex {
	n := len(s.all) - 1
	x := make([]float64, n)
	for i := range x {
		centre := 0.0
		for _, v := range s.all[:n] {
			centre += v.x[i] / float64(n)
		}
		x[i] = centre + t*(s.all[n].x[i]-centre)
	}
	return vertex{x, s.cost(x)}
}

// shrink moves all vertices half the way to the best one.
func (s *search) shrink() {
	for k := range s.all[1:] {
		v := &s.all[1+k]
		for i := range v.x {
			v.x[i] = (v.x[i] + s.all[0].x[i]) / 2
		}
		v.f = s.cost(v.x)
	}
}
