package sim

// A Series is what a run measures from its first entry on, warm-up included, in
// batches of five entries.
type Series struct {
	Waiting  []float64 // s, the mean of a batch
	Messages []float64 // an entry, the mean of a batch

	open batch
}

const seriesBatch = 5

// leave notes the end of an entry.
func (s *Series) leave(e entry) {
	s.open.entries++
	s.open.wait += float64(e.wait)
	if s.open.entries == seriesBatch {
		s.Waiting = append(s.Waiting, s.open.wait/1e9/seriesBatch)
		s.Messages = append(s.Messages, float64(s.open.messages)/seriesBatch)
		s.open = batch{}
	}
}

// WarmUp returns how many of a run's first entries are best left out, by the rule
// MSER-5 (K. P. White, M. J. Cobb, S. C. Spratt, A Comparison of Five
// Steady-State Truncation Heuristics for Simulation, Winter Simulation
// Conference 2000): the number of batches of five without which the standard
// error of the mean of the rest is least. The series are of independent runs and
// are averaged first. If the least is found in their second half they are too
// short to tell, and ok is false.
func WarmUp(series [][]float64) (entries int, ok bool) {
	mean := average(series)
	var sum, squares, least float64
	best := len(mean)
	for d := len(mean) - 1; d >= 0; d-- {
		sum += mean[d]
		squares += float64(mean[d] * mean[d])
		n := float64(len(mean) - d)
		if n < seriesBatch {
			continue // too few to have an error
		}
		if e := (squares - float64(sum*sum)/n) / (n * n); best == len(mean) || e <= least {
			least, best = e, d
		}
	}
	return seriesBatch * best, 2*best <= len(mean)
}

// Drift returns by how much the last third of the batches from entry on exceeds
// the first, as a mean over the runs: MSER-5 sees a start that is unlike the rest,
// and not a drift that is slow against the noise.
func Drift(series [][]float64, from int) Interval {
	var rises []float64
	for _, s := range series {
		s = s[min(len(s), from/seriesBatch):]
		third := len(s) / 3
		rises = append(rises, MeanOf(s[len(s)-third:]).Mean-MeanOf(s[:third]).Mean)
	}
	return MeanOf(rises)
}

// average is the mean of series, value by value, as far as the shortest goes.
func average(series [][]float64) []float64 {
	if len(series) == 0 {
		return nil
	}
	mean := make([]float64, len(series[0]))
	for _, s := range series {
		mean = mean[:min(len(mean), len(s))]
	}
	for i := range mean {
		for _, s := range series {
			mean[i] += s[i] / float64(len(series))
		}
	}
	return mean
}
