package survey

import (
	"fmt"
	"math"

	"shmbench/distributed/sim"
)

// Growth is the curve, of three shapes, that fits a cost against the number of
// nodes n best: Base·n^Power, or Base + Slope·ln n; with both 0 the constant
// Base. The zero Growth is none.
type Growth struct {
	Base, Power, Slope float64
}

func (g Growth) String() string {
	switch {
	case g.Power != 0:
		return fmt.Sprintf("%.2g N^%.2f", g.Base, g.Power)
	case g.Slope != 0:
		return fmt.Sprintf("%.2g + %.2g ln N", g.Base, g.Slope)
	case g.Base != 0:
		return fmt.Sprintf("%.3g", g.Base)
	}
	return "–"
}

func (g Growth) at(n float64) float64 {
	return float64(g.Base*math.Pow(n, g.Power)) + float64(g.Slope*math.Log(n))
}

// flat is the power below which a cost counts as constant: it then grows by
// less than a tenth from 31 nodes to 10,000.
const flat = 0.0165

// Fit returns the growth of the costs, at least three and all positive, of
// systems of n nodes: the shape whose squared relative errors are least, but the
// constant where the power is as good as none.
func Fit(n, cost []float64) Growth {
	if len(n) < 3 {
		return Growth{}
	}
	logN, logCost := make([]float64, len(n)), make([]float64, len(n))
	for i := range n {
		logN[i], logCost[i] = math.Log(n[i]), math.Log(cost[i])
	}
	a, b := line(logN, logCost)
	power := Growth{Base: math.Exp(a), Power: b}
	if math.Abs(b) < flat {
		return Growth{Base: sim.MeanOf(cost).Mean}
	}
	a, b = line(logN, cost)
	logarithm := Growth{Base: a, Slope: b}
	var errPower, errLog float64
	for i := range n {
		p, l := power.at(n[i])/cost[i]-1, logarithm.at(n[i])/cost[i]-1
		errPower += float64(p * p)
		errLog += float64(l * l)
	}
	if errLog < errPower {
		return logarithm
	}
	return power
}

// line returns the least-squares line y = a + b·x.
func line(x, y []float64) (a, b float64) {
	mx, my := sim.MeanOf(x).Mean, sim.MeanOf(y).Mean
	var sxx, sxy float64
	for i := range x {
		dx := x[i] - mx
		sxx += float64(dx * dx)
		sxy += float64(dx * (y[i] - my))
	}
	b = sxy / sxx
	return my - float64(b*mx), b
}

// growthOf fits the points of an algorithm with at least 30 nodes.
func growthOf(points []ScalePoint, algorithm string, of func(p *ScalePoint) sim.Number) Growth {
	var n, cost []float64
	for i := range points {
		if p := &points[i]; p.Algorithm == algorithm && p.Nodes >= 30 && of(p) > 0 {
			n, cost = append(n, float64(p.Nodes)), append(cost, float64(of(p)))
		}
	}
	return Fit(n, cost)
}
