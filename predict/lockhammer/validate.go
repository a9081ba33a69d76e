package lockhammer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"shmbench/internal/cli/table"
	"shmbench/predict"
)

// judged is the least number of threads whose errors count.
const judged = 8

// Curve is the errors of one curve, relative to what was measured.
type Curve struct {
	Lock string `json:"lock"`
	Load
	Fitted   bool    `json:"fitted"`
	Judged   bool    `json:"judged"`
	Points   int     `json:"points"`
	Median   float64 `json:"median_error"`
	Worst    float64 `json:"worst_error"`
	WorstAt  int     `json:"worst_at_threads"`
	Signed   float64 `json:"median_signed_error"`
	NullLog  float64 `json:"null_median_log_error,omitempty"`
	ModelLog float64 `json:"median_log_error"`
}

// Report is the outcome of a validation.
type Report struct {
	About    string           `json:"about"`
	Machine  *predict.Machine `json:"machine"`
	Host     string           `json:"host"`
	Curves   []Curve          `json:"curves"`
	Points   []Predicted      `json:"points"`
	Orders   []Order          `json:"orders"`
	Bars     []Bar            `json:"bars"`
	Accesses int64            `json:"accesses"`
	// Residuals are of the points that the machine was fitted to.
	Residuals []predict.Residual `json:"residuals,omitempty"`
	// Unknown are locks among the points that have no program.
	Unknown []string `json:"unknown,omitempty"`
}

// Predicted is a point and what the model has for it.
type Predicted struct {
	Point
	Model float64 `json:"model_ns"`
}

// Bar is a demand and whether it is met.
type Bar struct {
	Demand string `json:"demand"`
	Found  string `json:"found"`
	Met    bool   `json:"met"`
}

// fittedCurve reports whether a curve was used to fit.
func fittedCurve(p Point) bool {
	return p.Lock == "empty" || slices.Contains(FitTo, p.Lock) && p.Load == Load{}
}

// reported only: the backoff is longer than a thread's run.
func unjudged(p Point) bool { return p.Lock == "cas_event_mutex" && p.Load == Load{} }

// isLock reports whether a program excludes.
func isLock(name string) bool { return name != "empty" && name != "incdec_refcount" }

// Validate predicts every point of a host on a machine that was fitted, and compares.
func Validate(ctx context.Context, m *predict.Machine, points []Point, o Options) (*Report, error) {
	r := &Report{About: "a model of " + m.Name + ", not a measurement: " + m.Fit, Machine: m, Host: points[0].Host}
	var use []Point
	for _, p := range points {
		if usable(m, p) {
			use = append(use, p)
		}
		if !slices.Contains(Programs, p.Lock) && !slices.Contains(r.Unknown, p.Lock) {
			r.Unknown = append(r.Unknown, p.Lock)
		}
	}
	slices.SortStableFunc(use, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.CS, b.CS), cmp.Compare(a.NCS, b.NCS), cmp.Compare(slices.Index(Programs, a.Lock), slices.Index(Programs, b.Lock)), cmp.Compare(a.Threads, b.Threads))
	})
	r.Points = make([]Predicted, len(use))
	var mu sync.Mutex
	done := 0
	err := predict.Each(ctx, len(use), func(i int) error {
		p := use[i]
		ns, accesses, err := Predict(m, p, o)
		mu.Lock()
		defer mu.Unlock()
		r.Points[i] = Predicted{p, ns}
		r.Accesses += accesses
		if done++; o.Tell != nil {
			o.Tell(done, len(use), "predicting "+p.Lock)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r.curves()
	r.Orders = r.orders()
	r.bars()
	return r, nil
}

func (p Predicted) error() float64 { return math.Abs(p.Model-p.NS) / p.NS }

// null is the model that knows a lock's own curve at no work.
func (r *Report) null(p Predicted) float64 {
	for _, q := range r.Points {
		if q.Lock == p.Lock && q.Threads == p.Threads && q.Load == (Load{}) {
			return max(p.CS+q.NS, (p.CS+p.NCS)/float64(p.Threads))
		}
	}
	return math.NaN()
}

func (r *Report) curves() {
	var signed, nulls, logs []float64
	for i, p := range r.Points {
		if i == 0 || p.Lock != r.Points[i-1].Lock || p.Load != r.Points[i-1].Load {
			r.Curves = append(r.Curves, Curve{Lock: p.Lock, Load: p.Load, Fitted: fittedCurve(p.Point), Judged: !fittedCurve(p.Point) && !unjudged(p.Point)})
			signed, nulls, logs = nil, nil, nil
		}
		if p.Threads < judged {
			continue
		}
		c := &r.Curves[len(r.Curves)-1]
		c.Points++
		signed = append(signed, (p.Model-p.NS)/p.NS)
		logs = append(logs, math.Abs(math.Log(p.Model/p.NS)))
		if p.Load != (Load{}) {
			if n := r.null(p); !math.IsNaN(n) {
				nulls = append(nulls, math.Abs(math.Log(n/p.NS)))
			}
		}
		c.Signed = median(signed)
		var errors []float64
		for _, s := range signed {
			errors = append(errors, math.Abs(s))
		}
		c.Median = median(errors)
		if e := p.error(); e >= c.Worst {
			c.Worst, c.WorstAt = e, p.Threads
		}
		c.NullLog, c.ModelLog = median(nulls), median(logs)
	}
	r.Curves = slices.DeleteFunc(r.Curves, func(c Curve) bool { return c.Points == 0 })
}

// bars compares the report with the limits that it must keep.
func (r *Report) bars() {
	bar := func(met bool, demand, found string, args ...any) {
		r.Bars = append(r.Bars, Bar{demand, fmt.Sprintf(found, args...), met})
	}
	worst := Curve{Lock: "none"}
	var all, logs, nulls []float64
	within := 0
	for _, c := range r.Curves {
		if c.Judged && c.Median >= worst.Median {
			worst = c
		}
	}
	for _, p := range r.Points {
		if p.Threads < judged || fittedCurve(p.Point) || unjudged(p.Point) {
			continue
		}
		all = append(all, p.error())
		if p.error() <= 0.4 {
			within++
		}
		if n := r.null(p); p.Load != (Load{}) && isLock(p.Lock) && !math.IsNaN(n) {
			logs = append(logs, math.Abs(math.Log(p.Model/p.NS)))
			nulls = append(nulls, math.Abs(math.Log(n/p.NS)))
		}
	}
	if len(all) > 0 {
		bar(worst.Median <= 0.25, "every curve that was not fitted: median error at most 25 %", "%s cs=%g ncs=%g has %.0f %%", worst.Lock, worst.CS, worst.NCS, 100*worst.Median)
		bar(median(all) <= 0.12, "over all of them: median error at most 12 %", "%.1f %% of %d points", 100*median(all), len(all))
		bar(10*within >= 9*len(all), "nine points of ten within 40 %", "%.1f %%", 100*float64(within)/float64(len(all)))
	}
	if right, pairs, wrong := r.order(); pairs > 0 {
		bar(100*right >= 97*pairs, "pairs of locks that were measured more than 20 % apart: 97 % in the right order", "%.1f %% of %d%s", 100*float64(right)/float64(pairs), pairs, wrong)
	}
	if measured, model := r.crossing(false), r.crossing(true); measured > 0 && model > 0 {
		bar(max(measured/model, model/measured) <= 1.5, "ticket and queue lock cross within a factor of 1.5", "measured at %.0f threads, in the model at %.0f", measured, model)
	} else if measured > 0 || model > 0 {
		bar(false, "ticket and queue lock cross within a factor of 1.5", "measured at %.0f threads, in the model at %.0f (0: nowhere)", measured, model)
	}
	if len(logs) > 0 {
		bar(median(logs) <= median(nulls)/2, "other loads: at most half the null model's median log error", "%.3f, and the null model's is %.3f", median(logs), median(nulls))
	}
}

// order counts the pairs of locks that are apart, and those in the right order.
func (r *Report) order() (right, pairs int, wrong string) {
	most := map[string]int{}
	for i, p := range r.Points {
		for _, q := range r.Points[:i] {
			if p.Threads < judged || p.Threads != q.Threads || p.Load != q.Load || !isLock(p.Lock) || !isLock(q.Lock) || unjudged(p.Point) || unjudged(q.Point) {
				continue
			}
			if max(p.NS/q.NS, q.NS/p.NS) <= apart {
				continue
			}
			pairs++
			if (p.NS < q.NS) == (p.Model < q.Model) {
				right++
			} else {
				most[fmt.Sprintf("; most often wrong: %s and %s at cs=%g ncs=%g", q.Lock, p.Lock, p.CS, p.NCS)]++
			}
		}
	}
	for name, n := range most {
		if n > most[wrong] || n == most[wrong] && name < wrong {
			wrong = name
		}
	}
	return right, pairs, wrong
}

// crossing returns from how many threads on, at no work, the ticket lock is
// slower than the queue lock: where the difference of the logarithms changes its sign for the last time.
func (r *Report) crossing(model bool) float64 {
	value := func(lock string, threads int) float64 {
		for _, p := range r.Points {
			if p.Lock == lock && p.Threads == threads && p.Load == (Load{}) {
				if model {
					return p.Model
				}
				return p.NS
			}
		}
		return math.NaN()
	}
	at := 0.0
	slower := true
	for _, p := range r.Points {
		if p.Lock != "ticket_spinlock" || p.Load != (Load{}) {
			continue
		}
		q := value("queued_spinlock", p.Threads)
		if math.IsNaN(q) {
			continue
		}
		if now := value(p.Lock, p.Threads) > q; now != slower || at == 0 {
			slower, at = now, float64(p.Threads)
		}
	}
	if !slower {
		return 0
	}
	return at
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Clone(values)
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// WriteText writes the table of errors.
func (r *Report) WriteText(w io.Writer) error {
	fmt.Fprintln(w, r.About)
	if err := r.Machine.WriteParameters(w); err != nil {
		return err
	}
	if len(r.Residuals) > 0 {
		if err := predict.WriteResiduals(w, r.Residuals); err != nil {
			return err
		}
	}
	if len(r.Unknown) > 0 {
		fmt.Fprintf(w, "left out, as there is no program of that name: %s\n", strings.Join(r.Unknown, ", "))
	}
	fmt.Fprintf(w, "\nerrors from %d threads on, relative to what was measured\n", judged)
	t := table.Right(w, "program", "cs", "ncs", "points", "median", "worst", "at", "signed", "log", "null", "")
	for _, c := range r.Curves {
		note := ""
		switch {
		case c.Fitted:
			note = "  fitted"
		case !c.Judged:
			note = "  not judged"
		}
		null := "-"
		if c.NullLog > 0 {
			null = fmt.Sprintf("%.3f", c.NullLog)
		}
		fmt.Fprintf(t, "%s\t%g\t%g\t%d\t%.0f %%\t%.0f %%\t%d\t%+.0f %%\t%.3f\t%s\t%s\n", c.Lock, c.CS, c.NCS, c.Points, 100*c.Median, 100*c.Worst, c.WorstAt, 100*c.Signed, c.ModelLog, null, note)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := r.writeOrders(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, b := range r.Bars {
		verdict := "met   "
		if !b.Met {
			verdict = "MISSED"
		}
		if _, err := fmt.Fprintf(w, "%s  %s: %s\n", verdict, b.Demand, b.Found); err != nil {
			return err
		}
	}
	return nil
}

// Missed reports whether a demand is not met.
func (r *Report) Missed() bool {
	return slices.ContainsFunc(r.Bars, func(b Bar) bool { return !b.Met })
}
