package lockhammer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/internal/cli/table"
)

// apart is how many times as much one lock must cost as another one for their order to count.
const apart = 1.2

// Order is the order of the locks at some thread counts that follow one another.
type Order struct {
	Load
	From     int      `json:"from_threads"`
	To       int      `json:"to_threads"`
	Measured string   `json:"measured"`        // the fastest first, those that are not apart joined by =
	Wrong    []string `json:"wrong,omitempty"` // pairs that are apart, and the other way round in the model
}

// orders returns the order of the locks at each load and number of threads.
func (r *Report) orders() (all []Order) {
	at := map[Load]map[int][]Predicted{}
	var loads []Load
	for _, p := range r.Points {
		if p.Threads < judged || !isLock(p.Lock) || unjudged(p.Point) {
			continue
		}
		if at[p.Load] == nil {
			at[p.Load] = map[int][]Predicted{}
			loads = append(loads, p.Load)
		}
		at[p.Load][p.Threads] = append(at[p.Load][p.Threads], p)
	}
	for _, load := range loads {
		var threads []int
		for n, points := range at[load] {
			if len(points) > 1 {
				threads = append(threads, n)
			}
		}
		slices.Sort(threads)
		begin := len(all)
		for _, n := range threads {
			o := orderOf(at[load][n])
			o.Load, o.From, o.To = load, n, n
			if last := len(all) - 1; last >= begin && all[last].Measured == o.Measured && slices.Equal(all[last].Wrong, o.Wrong) {
				all[last].To = n
			} else {
				all = append(all, o)
			}
		}
	}
	return all
}

// orderOf is the order of locks at one load and number of threads.
func orderOf(points []Predicted) (o Order) {
	slices.SortFunc(points, func(a, b Predicted) int { return strings.Compare(a.Lock, b.Lock) })
	for i, q := range points {
		for _, p := range points[:i] {
			if max(p.NS/q.NS, q.NS/p.NS) > apart && (p.NS < q.NS) != (p.Model < q.Model) {
				o.Wrong = append(o.Wrong, p.Lock+" and "+q.Lock)
			}
		}
	}
	byTime := slices.Clone(points)
	slices.SortStableFunc(byTime, func(a, b Predicted) int {
		if a.NS < b.NS {
			return -1
		}
		return 1
	})
	var groups []string
	for len(byTime) > 0 {
		var group []string
		end := slices.IndexFunc(byTime, func(p Predicted) bool { return p.NS/byTime[0].NS > apart })
		if end < 0 {
			end = len(byTime)
		}
		for _, p := range byTime[:end] {
			group = append(group, p.Lock)
		}
		slices.Sort(group)
		groups = append(groups, strings.Join(group, " = "))
		byTime = byTime[end:]
	}
	o.Measured = strings.Join(groups, " < ")
	return o
}

// writeOrders writes them, a line for those thread counts that are alike.
func (r *Report) writeOrders(w io.Writer) error {
	if len(r.Orders) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\norder of the locks as measured, the fastest first (= within %.0f %% of the first named so)\n", 100*(apart-1))
	t := table.New(w, "cs", "ncs", "threads", "measured", "wrong in the model")
	for _, o := range r.Orders {
		threads := fmt.Sprint(o.From)
		if o.To > o.From {
			threads = fmt.Sprintf("%d-%d", o.From, o.To)
		}
		wrong := "none"
		if o.Wrong != nil {
			wrong = strings.Join(o.Wrong, "; ")
		}
		fmt.Fprintf(t, "%g\t%g\t%s\t%s\t%s\n", o.CS, o.NCS, threads, o.Measured, wrong)
	}
	return t.Flush()
}
