package study

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/sim"
)

// small is the paper's plan cut down.
func small() Plan {
	p := Paper()
	p.Nodes, p.Rates, p.Threads = []int{7}, []float64{0.1, 1, 10}, []int{1, 5}
	p.Entries, p.Warmup, p.Replications = 1500, 50, 3
	return p
}

// The study runs, in the grid's order, and says everything that a reader and a
// program want; the same seed gives the same bytes on one processor and on two.
func TestStudy(t *testing.T) {
	var bytesOf []string
	for _, procs := range []int{1, 2} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			last := 0
			r, err := Study(t.Context(), small(), true, func(done, of int) {
				require.Greater(t, done, 0)
				last = of - done
			})
			require.NoError(t, err)
			require.Zero(t, last)
			require.Len(t, r.Points, 7*2*3)
			require.Len(t, r.Findings, len(claims))
			for i := range r.Points {
				p := &r.Points[i]
				require.Equal(t, sim.Complete, p.End, p.Detail)
				require.Equal(t, 1500, p.Entries)
				for _, each := range [][]float64{p.messages, p.waits, p.noMessage} {
					require.Len(t, each, 3, "by replication")
				}
			}
			var b bytes.Buffer
			require.NoError(t, Points(r.Points).WriteText(&b))
			require.NoError(t, Findings(r.Findings).WriteText(&b))
			require.NoError(t, WriteFigure(&b, r.Points, 7, 5))
			require.NoError(t, json.NewEncoder(&b).Encode(r.Points))
			bytesOf = append(bytesOf, b.String())
		}()
	}
	require.Equal(t, bytesOf[0], bytesOf[1])
	for _, field := range []string{`"algorithm":"alien-v1"`, `"threads":5`, `"rate":0.1`, `"entries":1500`, `"messages_per_entry":`, `"messages_per_entry_half_width":`, `"waiting_time":`, `"waiting_time_half_width":`} {
		require.Contains(t, bytesOf[0], field)
	}
}

// Delays, sections and the tree are the plan's, and a wait until the exit has
// the mean section in it.
func TestStudyOfOther(t *testing.T) {
	p := small()
	p.Algorithms, p.Rates, p.Threads = p.Algorithms[5:6], []float64{0.1}, []int{1}
	mean := func(change func(p *Plan)) (messages, waiting float64) {
		q := p
		change(&q)
		points, err := q.Run(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, points, 1)
		require.Equal(t, q.Delay.String(), points[0].Delay)
		require.Equal(t, q.Section.String(), points[0].Section)
		require.Equal(t, q.Tree, points[0].Tree)
		return float64(points[0].MessagesPerEntry), float64(points[0].WaitingTime)
	}
	messages, waiting := mean(func(*Plan) {})
	_, slow := mean(func(p *Plan) { p.Delay = sim.Uniform(0, 300*time.Millisecond) })
	require.Greater(t, slow, 2*waiting)
	_, long := mean(func(p *Plan) { p.Section = sim.Fixed(500 * time.Millisecond) })
	require.Greater(t, long, waiting+0.05)
	star, _ := mean(func(p *Plan) { p.Tree = "star" })
	require.Less(t, star, messages)
	path, _ := mean(func(p *Plan) { p.Tree = "path" })
	require.Greater(t, path, messages)
	_, exit := mean(func(p *Plan) {
		p.Section = sim.Fixed(500 * time.Millisecond)
		p.Reading, _ = FindReading("until-exit")
	})
	require.InDelta(t, long+0.5, exit, 1e-9)
	p.Tree = "0,0,0"
	require.ErrorContains(t, p.Check(), "3 parents for 7 nodes")
}

// A tree by hand is of one number of nodes, and of no other.
func TestOthersOfATreeByHand(t *testing.T) {
	p := small()
	require.Equal(t, []int{15, 63}, others(p)[0].Nodes)
	p.Tree = "0,0,0,1,1,2,2"
	require.Empty(t, others(p)[0].Nodes)
}

// Algorithms that the paper does not have are drawn under their own names.
func TestFigureOfOthers(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteFigure(&b, []Point{
		{Algorithm: "mueller", Nodes: 7, Threads: 1, Rate: 1, Summary: sim.Summary{MessagesPerEntry: 2}},
		{Algorithm: "lamport", Nodes: 7, Threads: 1, Rate: 1, Summary: sim.Summary{MessagesPerEntry: 3}},
	}, 7, 1))
	require.Contains(t, b.String(), ">Mueller<")
	require.Contains(t, b.String(), ">lamport<")
	require.NotContains(t, b.String(), ">mueller<")
}

// With one thread a node alien threads without piggybacking are Raymond's
// algorithm, message for message, and Mueller's is Naimi and Tréhel's.
func TestWhatIsTheSame(t *testing.T) {
	p := small()
	p.Threads = []int{1}
	points, err := p.Run(t.Context(), nil)
	require.NoError(t, err)
	b := newBoard(points)
	for _, rate := range p.Rates {
		for one, other := range map[string]string{"alien-v1": "raymond", "mueller": "naimi-trehel"} {
			x, y := b.points[cell{one, 7, 1, rate}], b.points[cell{other, 7, 1, rate}]
			require.Equal(t, x.messages, y.messages)
			require.Equal(t, x.waits, y.waits)
		}
	}
}

// synthetic makes points whose waits are wait(rate) with a little noise.
func synthetic(reading string, wait map[string]func(rate float64) float64) []Point {
	var points []Point
	for name, f := range wait {
		for _, rate := range []float64{0.05, 0.1, 0.5, 1, 5} {
			p := Point{Algorithm: name, Nodes: 31, Threads: 1, Rate: rate, Reading: reading}
			for k := range 10 {
				p.waits = append(p.waits, f(rate)+0.001*math.Sin(float64(7*k)+rate))
				p.messages = append(p.messages, 1)
				p.noMessage = append(p.noMessage, 0.5)
			}
			points = append(points, p)
		}
	}
	return points
}

func finding(t *testing.T, fs []Finding, says string) Finding {
	for _, f := range fs {
		if strings.Contains(f.Claim, says) {
			return f
		}
	}
	t.Fatalf("no claim says %q", says)
	return Finding{}
}

// A claim that holds is confirmed, one that fails somewhere is refuted and says
// where, one that noise hides is undecided, and one that another reading turns
// around depends on it.
func TestJudge(t *testing.T) {
	constant := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	crossing := func(rate float64) float64 { return 0.5 + rate } // passes 1 at 0.5
	const says = "with one thread a node Mueller's waits less"
	judge := func(mueller func(float64) float64, others ...[]Point) Finding {
		own := synthetic("", map[string]func(float64) float64{
			"mueller": mueller, "alien-v1-pb": constant(1), "alien-v2-pb": constant(1), "alien-v1": constant(1), "alien-v2": constant(1),
		})
		return finding(t, Judge(own, others...), says)
	}
	f := judge(constant(0.5))
	require.Equal(t, Confirmed, f.Status)
	require.Equal(t, []Region{{31, 1, "0.05–5", "", ""}}, f.Regions)

	f = judge(crossing)
	require.Equal(t, Refuted, f.Status)
	require.Equal(t, []Region{{31, 1, "0.05–0.1", "1–5", "0.5"}}, f.Regions)

	require.Equal(t, Undecided, judge(constant(1)).Status)

	f = judge(constant(0.5), synthetic("other", map[string]func(float64) float64{
		"mueller": constant(2), "alien-v1-pb": constant(1), "alien-v2-pb": constant(1),
	}))
	require.Equal(t, Depends, f.Status)
	require.Equal(t, Status{"other", Refuted}, f.Under[len(f.Under)-1])

	// A missing algorithm decides nothing.
	require.Equal(t, Undecided, finding(t, Judge(synthetic("", map[string]func(float64) float64{"mueller": constant(1)})), says).Status)
	require.Nil(t, Judge(nil))
}

// Waiting that grows more with the load where a node has more threads confirms the claim that
// it does. Waiting that grows less refutes it.
func TestJudgeGrowth(t *testing.T) {
	for want, growths := range map[string][]float64{Confirmed: {0.1, 1, 3}, Refuted: {3, 1, 0.1}} {
		var points []Point
		for k, threads := range []int{1, 5, 10} {
			for _, p := range synthetic("", map[string]func(float64) float64{"mueller": func(rate float64) float64 { return 1 + growths[k]*rate }}) {
				p.Threads = threads
				points = append(points, p)
			}
		}
		f := finding(t, Judge(points), "the more threads a node, the more Mueller's waiting has grown")
		require.Equal(t, want, f.Status)
	}
}

func TestSpans(t *testing.T) {
	rates := []float64{0.05, 0.1, 0.5, 1, 5}
	vs := []verdict{holds, holds, fails, open, holds}
	require.Equal(t, "0.05–0.1, 5", spans(rates, vs, holds))
	require.Equal(t, "0.5", spans(rates, vs, fails))
	require.Equal(t, "", spans(rates, []verdict{holds, holds, holds, holds, holds}, open))
}

func TestAlikeAndAbove(t *testing.T) {
	point := func(values ...float64) *Point { return &Point{waits: values} }
	require.Equal(t, holds, alike(waits, point(1.01, 1.02, 1.03), point(1, 1, 1)))
	require.Equal(t, fails, alike(waits, point(1.21, 1.22, 1.23), point(1, 1, 1)))
	require.Equal(t, open, alike(waits, point(1.05, 1.10, 1.15), point(1, 1, 1)))
	require.Equal(t, holds, above(waits, point(0.7, 0.71, 0.72), 0.5))
	require.Equal(t, fails, above(waits, point(0.3, 0.31, 0.32), 0.5))
	require.Equal(t, open, less(waits, point(1), point(2)), "one run decides nothing")
}

func TestReadings(t *testing.T) {
	for _, r := range Readings {
		found, err := FindReading(r.Name)
		require.NoError(t, err)
		require.Equal(t, r.Changes, found.Changes)
		p := small()
		p.Reading = r
		p.Rates, p.Threads = []float64{1}, []int{1}
		points, err := p.Run(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, r.Name, points[0].Reading)
	}
	_, err := FindReading("nonsense")
	require.EqualError(t, err, `no reading "nonsense"; there are system-rate, any-thread, until-exit, fixed-delay, overtaking`)

	// A reading that only adds to the waits adds that.
	p := small()
	p.Rates, p.Threads = []float64{1}, []int{1}
	own, err := p.Run(t.Context(), nil)
	require.NoError(t, err)
	p.Reading, _ = FindReading("until-exit")
	exit, err := p.Run(t.Context(), nil)
	require.NoError(t, err)
	require.InDelta(t, float64(own[0].WaitingTime)+0.01, float64(exit[0].WaitingTime), 1e-12)
	again := reread(own, Reading{}, p.Reading)
	require.InDeltaSlice(t, exit[0].waits, again[0].waits, 1e-12)
}

// The text explains each reading under which a claim is judged, and once.
func TestReadingsAreExplained(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, WriteReadings(&text))
	var explained []string
	for line := range strings.Lines(text.String()) {
		name, explanation, _ := strings.Cut(line, "  ")
		require.NotEmpty(t, strings.TrimSpace(explanation), line)
		explained = append(explained, name)
	}
	want := []string{Own, "no-piggyback", "rates-to-the-top"}
	for _, r := range Readings {
		want = append(want, r.Name)
	}
	require.Equal(t, want, explained)
}

func TestBadPlans(t *testing.T) {
	for says, change := range map[string]func(p *Plan){
		"1 replications: an interval wants at least 2":                                      func(p *Plan) { p.Replications = 1 },
		"2 entries in 3 replications: want at least 1 in each":                              func(p *Plan) { p.Entries = 2 },
		"a rate of -1 requests a second: it must be above 0":                                func(p *Plan) { p.Rates = []float64{1, -1} },
		"0 threads a node: at least 1":                                                      func(p *Plan) { p.Threads = []int{0} },
		"nothing to study: want an algorithm, a number of nodes and of threads, and a rate": func(p *Plan) { p.Rates = nil },
	} {
		p := small()
		change(&p)
		_, err := Study(t.Context(), p, true, nil)
		require.EqualError(t, err, says)
	}
}

// A start that is unlike the rest is found and left out; what drifts for as long
// as anybody waits is measured and says so.
func TestWarmUpIsLengthened(t *testing.T) {
	p := Paper()
	p.Algorithms, p.Threads, p.Rates = p.Algorithms[4:5], []int{10}, []float64{0.1, 10}
	p.Warmup, p.Entries = 20, 10_000
	points, err := p.Run(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, "mueller", points[1].Algorithm)
	require.Greater(t, points[1].Warmup, 500, "31 nodes of 10 threads, all of them waiting, have hardly begun after 20 entries")
	require.LessOrEqual(t, points[1].Warmup, longestWarmup*20)

	series := func(value func(entry int) float64) []sim.Result {
		rs := make([]sim.Result, 5)
		for k := range rs {
			s := &sim.Series{}
			for i := range 200 {
				v := value(5*i) + 0.1*math.Sin(float64((k+3)*i))
				s.Waiting, s.Messages = append(s.Waiting, v), append(s.Messages, 1+0.1*math.Sin(float64((k+2)*i)))
			}
			rs[k] = sim.Result{End: sim.Complete, Series: s}
		}
		return rs
	}
	for name, c := range map[string]struct {
		value           func(entry int) float64
		warmup, longest int
		warm            bool
		next            int
		drifts          bool
	}{
		"even":                 {func(int) float64 { return 1 }, 100, 800, true, 100, false},
		"a start unlike":       {func(i int) float64 { return 1 + 9*math.Exp(-float64(i)/40) }, 10, 800, false, 0, false},
		"left out":             {func(i int) float64 { return 1 + 9*math.Exp(-float64(i)/40) }, 320, 800, true, 320, false},
		"a drift":              {func(i int) float64 { return 1 + float64(i)/2000 }, 200, 800, false, 0, false},
		"a drift without end":  {func(i int) float64 { return 1 + float64(i)/2000 }, 800, 800, true, 800, true},
		"a drift of the noise": {func(i int) float64 { return 1 }, 0, 800, true, 0, false},
	} {
		point := Point{Warmup: c.warmup, longest: c.longest, runs: series(c.value)}
		require.Equal(t, c.warm, point.warm(), name)
		if c.next > 0 {
			require.Equal(t, c.next, point.Warmup, name)
		} else if !c.warm {
			require.Greater(t, point.Warmup, 100, name)
		}
		require.Equal(t, c.drifts, point.Drifts, name)
	}
}

func TestStudyStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Study(ctx, small(), false, func(done, of int) {
		if done == 10 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, r.Points, "what is complete is kept")
	require.Less(t, len(r.Points), 7*2*3)
}
