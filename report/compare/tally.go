package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shmbench/internal/cli/words"
	"shmbench/internal/results/stat"
)

// tally counts the comparisons of a file with the first, over the tables whose values are
// better and worse in the same words.
type tally struct {
	units         []string
	up, down      string    // "faster", "slower"
	better, worse []float64 // the multiples by which medians differ, each 1 or more
	all           int
	fewest, most  int // samples
	corrected     int // the most comparisons that p-values are corrected for
	decidable     bool
}

func (r *Report) tallies(i int) (all []*tally) {
	for _, t := range r.Tables {
		up, down := t.directions()
		at := slices.IndexFunc(all, func(y *tally) bool { return y.up == up })
		if at < 0 {
			at, all = len(all), append(all, &tally{up: up, down: down, fewest: math.MaxInt})
		}
		all[at].units = append(all[at].units, t.Unit)
		for _, row := range t.Rows {
			if row.Cells[i].Compared {
				all[at].add(t, row.Cells[0], row.Cells[i])
			}
		}
	}
	return all
}

// directions returns the words for a value that is better, and for one that is worse.
func (t Table) directions() (up, down string) {
	switch time := t.Unit == "sec/op" || strings.HasSuffix(t.Unit, "-sec"); {
	case t.Better == "unknown":
		return "higher", "lower"
	case t.Better == "lower" && time:
		return "faster", "slower"
	}
	return "better", "worse"
}

func (y *tally) add(t Table, base, c Cell) {
	n := t.comparisons()
	y.all, y.corrected = y.all+1, max(y.corrected, n)
	y.fewest, y.most = min(y.fewest, base.Samples, c.Samples), max(y.most, base.Samples, c.Samples)
	y.decidable = y.decidable || stat.LeastP(base.Samples, c.Samples)*float64(n) < stat.Significant
	times := max(c.Median, base.Median) / min(c.Median, base.Median)
	switch {
	case c.P >= stat.Significant || c.Median == base.Median:
	case (c.Median > base.Median) == (t.Better != "lower"):
		y.better = append(y.better, times)
	default:
		y.worse = append(y.worse, times)
	}
}

// samples says how many samples each benchmark has.
func (y *tally) samples() string {
	if y.fewest == y.most {
		return words.Counted(y.most, "sample each", "samples each")
	}
	return fmt.Sprintf("%d to %d samples each", y.fewest, y.most)
}

// says is the answer about a file, which compares things of a kind, such as "lock".
func (y *tally) says(file, kind, where string) string {
	up, down := y.part(y.up, y.better), y.part(y.down, y.worse)
	switch {
	case y.all == 0:
		return file + " has no benchmark that the first file has"
	case up == "" && down == "" && !y.decidable:
		return fmt.Sprintf("too few samples to see a difference%s: %s would take %d samples each",
			where, words.Counted(y.corrected, "comparison", "comparisons"), stat.Enough(y.corrected))
	case up == "" && down == "":
		return "no " + kind + " differs" + where
	case y.all == 1:
		return file + " is " + up + down
	case up == "":
		up = "no " + kind + " is " + y.up
		return file + " is " + down + "; " + up
	case down == "":
		down = "no " + kind + " is " + y.down
	}
	return file + " is " + up + "; " + down
}

// part says in how many comparisons the file is so, and by how much in the median of these.
func (y *tally) part(word string, times []float64) string {
	if times == nil {
		return ""
	}
	median := "from or to 0"
	if m := stat.Summary(times).Center; !math.IsInf(m, 0) {
		median = multiple(m)
	}
	if y.all == 1 {
		return word + ": " + median
	}
	return fmt.Sprintf("%s in %d of %d comparisons; median %s", word, len(times), y.all, median)
}

// multiple writes a number of times, which is 1 or more.
func multiple(times float64) string {
	switch {
	case times < 1.005:
		return "less than 1.01 times"
	case times < 1.95:
		return fmt.Sprintf("%.2f times", times)
	case times < 9.95:
		return fmt.Sprintf("%.1f times", times)
	}
	return fmt.Sprintf("%.0f times", times)
}
