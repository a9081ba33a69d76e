package lockhammer

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/predict"
)

func machine(t *testing.T, topology string) *predict.Machine {
	t.Helper()
	m, err := predict.New("test", topology, predict.SMTFirst, "intel")
	require.NoError(t, err)
	return m
}

// TestPrograms: the locks exclude, every thread makes its acquisitions, and the
// same seed gives the same figure.
func TestPrograms(t *testing.T) {
	m := machine(t, "cores=4,threads=2")
	for _, name := range Programs {
		const threads, each = 7, 20
		e, err := predict.NewEngine(m, 1)
		require.NoError(t, err)
		codes := build(name, memory{e}, threads)
		all := make([]*thread, threads)
		for i := range all {
			all[i] = &thread{code: codes(i), load: Load{CS: 30, NCS: 20}, left: each}
			e.AddProcess(all[i], 0)
		}
		most := 0
		require.NoError(t, e.Run(func() bool {
			inside := 0
			for _, t := range all {
				if t.part == 1 {
					inside++
				}
			}
			most = max(most, inside)
			return e.Accesses < 1e6
		}), name)
		if isLock(name) {
			require.Equal(t, 1, most, "%s: threads in the critical section", name)
		} else {
			require.Greater(t, most, 1, name)
		}
		for i, thread := range all {
			require.Zero(t, thread.left, "%s: thread %d", name, i)
		}
		ns, accesses, err := Simulate(m, name, threads, Load{}, each, 5)
		require.NoError(t, err)
		again, same, err := Simulate(m, name, threads, Load{}, each, 5)
		require.NoError(t, err)
		require.Equal(t, ns, again)
		require.Equal(t, accesses, same)
	}
	_, _, err := Simulate(m, "ticket_spinlock", 9, Load{}, 5, 1)
	require.EqualError(t, err, "9 threads on 8 hardware threads are out of the model")
	_, _, err = Simulate(m, "no_lock", 2, Load{}, 5, 1)
	require.EqualError(t, err, `there is no program "no_lock"`)
}

// TestDraws: threads that read the same shared word draw different numbers, so that they do
// not keep in step.
func TestDraws(t *testing.T) {
	e, err := predict.NewEngine(machine(t, "cores=4"), 1)
	require.NoError(t, err)
	codes := build("cas_event_mutex", memory{e}, 3)
	drawn := map[uint64]bool{}
	for i := range 3 {
		a, _, _ := codes(i).enter(3, 7) // behind the load of the word
		require.Equal(t, predict.StoreRelease, a.Op)
		drawn[a.Arg] = true
	}
	require.Len(t, drawn, 3)
}

func TestReadPoints(t *testing.T) {
	points, err := ReadPoints(strings.NewReader("# by hand\nhost lock cs_ns ncs_ns threads ns\na ticket_spinlock 0 100 8 55.5\nb swap_mutex 0 0 4 70\n"))
	require.NoError(t, err)
	require.Equal(t, []Point{{"a", "ticket_spinlock", Load{0, 100}, 8, 55.5}, {"b", "swap_mutex", Load{}, 4, 70}}, points)
	require.Equal(t, []string{"a", "b"}, Hosts(points))
	for text, want := range map[string]string{
		"":                       "no points",
		"host lock threads ns\n": "no column cs_ns",
		"host lock cs_ns ncs_ns threads ns\na b 0 0 x 5\n":   `line 2: threads is "x"`,
		"host lock cs_ns ncs_ns threads ns\na b 0 0 1.5 5\n": "line 2: there are at least 1 thread",
		"host lock cs_ns ncs_ns threads ns\na b 0 0 4 0\n":   "more than 0 ns",
		"host lock cs_ns ncs_ns threads ns\na b 0 -1 4 5\n":  `ncs_ns is "-1"`,
		"host lock cs_ns ncs_ns threads ns\na b 0\n":         "line 2 has no",
	} {
		_, err := ReadPoints(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// made are points that a machine itself would have given.
func made(t *testing.T, m *predict.Machine, programs ...string) []Point {
	t.Helper()
	var points []Point
	for _, name := range programs {
		for _, threads := range []int{4, 6, 8, 9, 10, 11} {
			p := Point{"made", name, Load{}, threads, 1}
			ns, _, err := Predict(m, p, Options{Accesses: 3000, Seed: 9})
			require.NoError(t, err)
			p.NS = ns
			points = append(points, p)
		}
	}
	return points
}

// TestFit: a fit finds the parameters of the machine that the points are of,
// from others, and predicts what it was not fitted to.
func TestFit(t *testing.T) {
	truth := machine(t, "cores=6,threads=2")
	truth.Transfer["cores"], truth.ReadOccupancy = 45, 22
	points := made(t, truth, "incdec_refcount", "ticket_spinlock", "swap_mutex", "queued_spinlock")
	o := Options{Accesses: 3000, Evaluations: 12, Seed: 1}
	fitted, residuals, err := Host(context.Background(), machine(t, "cores=6,threads=2"), points, o)
	require.NoError(t, err)
	require.Len(t, residuals, 12)
	require.InEpsilon(t, 45, fitted.Transfer["cores"], 0.1)
	require.InEpsilon(t, 22, fitted.ReadOccupancy, 0.25)
	require.LessOrEqual(t, len(fitted.Fitted), predict.MostFitted)
	require.NotContains(t, fitted.Assumed, "transfer_ns")
	require.Regexp(t, `^fitted to 12 points of made \(incdec_refcount and ticket_spinlock at no work, 4 threads or more\): `, fitted.Fit)

	report, err := Validate(context.Background(), fitted, append(points, Point{"made", "no_lock", Load{}, 8, 100}), o)
	require.NoError(t, err)
	for _, c := range report.Curves {
		require.Less(t, c.Median, 0.15, c.Lock)
	}
	var b bytes.Buffer
	require.NoError(t, report.WriteText(&b))
	require.Contains(t, b.String(), "a model of test, not a measurement: fitted to 12 points of made")
	require.Contains(t, b.String(), "left out, as there is no program of that name: no_lock")
	require.Contains(t, b.String(), "fitted (2): read_occupancy_ns ")

	_, _, err = Host(context.Background(), machine(t, "cores=6,threads=2"), points[:2], o)
	require.ErrorContains(t, err, "the points to fit to are 2")
}

// TestOrders: locks that cost about the same are not ordered, thread counts that are alike are
// one line, and a pair that the model has the wrong way round is named.
func TestOrders(t *testing.T) {
	var r Report
	point := func(lock string, threads int, measured, model float64) {
		r.Points = append(r.Points, Predicted{Point{"a", lock, Load{}, threads, measured}, model})
	}
	for _, n := range []int{7, 8, 9, 12, 20} {
		point("swap_mutex", n, 10*float64(n), 10*float64(n))
		point("ticket_spinlock", n, 110, 100)
		point("queued_spinlock", n, 100, 105)
		point("incdec_refcount", n, 1, 1)
	}
	require.Equal(t, []Order{
		{From: 8, To: 8, Measured: "swap_mutex < queued_spinlock = ticket_spinlock"},
		{From: 9, To: 9, Measured: "queued_spinlock = swap_mutex < ticket_spinlock"},
		{From: 12, To: 12, Measured: "queued_spinlock = swap_mutex = ticket_spinlock"},
		{From: 20, To: 20, Measured: "queued_spinlock = ticket_spinlock < swap_mutex"},
	}, r.orders())
	r.Points = nil
	for _, n := range []int{8, 16, 24} {
		point("swap_mutex", n, 300, 100)
		point("osq_lock", n, 200, 150)
	}
	require.Equal(t, []Order{{From: 8, To: 24, Measured: "osq_lock < swap_mutex", Wrong: []string{"osq_lock and swap_mutex"}}}, r.orders())
	r.Orders = r.orders()
	var b bytes.Buffer
	require.NoError(t, r.writeOrders(&b))
	require.Regexp(t, `\n0 +0 +8-24 +osq_lock < swap_mutex +osq_lock and swap_mutex\n`, b.String())
}

// TestBars: what a report demands is met by a model that is right, and missed by one that is not.
func TestBars(t *testing.T) {
	report := func(model func(p Point) float64) *Report {
		r := &Report{}
		for _, load := range []Load{{}, {CS: 1000}} {
			for _, lock := range []string{"ticket_spinlock", "queued_spinlock"} {
				for n := 4; n < 40; n++ {
					p := Point{"a", lock, load, n, 200}
					if lock == "ticket_spinlock" {
						p.NS = 10 * float64(n)
					}
					p.NS += 0.7 * load.CS
					r.Points = append(r.Points, Predicted{p, model(p)})
				}
			}
		}
		r.curves()
		r.bars()
		return r
	}
	right := report(func(p Point) float64 { return p.NS * 1.01 })
	require.Len(t, right.Bars, 6)
	require.False(t, right.Missed(), "%v", right.Bars)
	require.Equal(t, 21.0, right.crossing(false))

	for i, model := range []func(p Point) float64{
		func(p Point) float64 { return p.NS * 1.3 },
		func(p Point) float64 { return p.NS * 1.2 },
		func(p Point) float64 { return p.NS * []float64{1, 1, 1, 1, 1, 2}[p.Threads%6] },
		func(p Point) float64 { return 200 + float64(len(p.Lock)) },
		func(p Point) float64 {
			if p.Lock == "ticket_spinlock" && p.CS == 0 {
				return p.NS * 2
			}
			return p.NS
		},
		func(p Point) float64 { return p.NS + p.CS/4 },
	} {
		wrong := report(model)
		require.False(t, wrong.Bars[i].Met, "%v", wrong.Bars[i])
	}
	require.False(t, math.IsNaN(right.null(right.Points[0])))
}
