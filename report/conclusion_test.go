package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lockSpecs are the specifications of some locks.
const lockSpecs = `{"format": "shmbench list 1", "complete": true, "results": [
	{"name": "tas/tas", "class": "test-and-set", "max_procs": 8}, {"name": "cas/cas", "class": "compare-and-swap", "max_procs": 8},
	{"name": "baseline/mutex", "title": "sync.Mutex", "class": "opaque", "max_procs": 8, "claims": {"deadlock_free": true}},
	{"name": "baseline/channel", "class": "opaque", "max_procs": 8, "claims": {"starvation_free": true}},
	{"name": "dekker/dekker", "class": "read/write", "max_procs": 2, "claims": {"starvation_free": true}},
	{"name": "queue/ticket", "class": "fetch-and-add", "max_procs": 8, "claims": {"fcfs": true, "starvation_free": true}},
	{"name": "queue/mcs", "class": "swap", "max_procs": 8, "claims": {"fcfs": true, "starvation_free": true}},
	{"name": "queue/mcs-padded", "variant_of": "queue/mcs", "class": "swap", "max_procs": 8, "claims": {"fcfs": true, "starvation_free": true}}]}`

func TestTheBestIsNamedWithItsMargin(t *testing.T) {
	in := new(Input)
	in.Add("m/run.txt", []byte(text("A", []int{1, 2, 4}, map[string]float64{"queue-mcs": 20, "tas-tas": 10, "cas-cas": 10.4})))
	r := in.Runs[0]
	require.Equal(t, "m/run", r.Label)
	got := in.answer(situations[0], r)
	require.Equal(t, "tas/tas and cas/cas", got.Best, "too close to call")
	require.Equal(t, "10.1 [10.0, 10.2] ns", got.Median)
	require.Equal(t, "1.04 times as long", got.Last)
	require.Equal(t, "queue/mcs, takes 1.99 times as long [1.97, 2.01]", got.Next)

	in = new(Input)
	in.Add("m/run.txt", []byte(text("A", []int{1, 2, 4}, map[string]float64{"queue-mcs": 20, "tas-tas": 10})))
	got = in.answer(situations[1], in.Runs[0])
	require.Equal(t, answer{Situation: "Contended", Says: "2 processes", Best: "tas/tas", Locks: []string{"tas/tas"},
		Median: "20.1 [20.0, 20.2] ns", Next: "queue/mcs, takes 2.00 times as long [1.99, 2.01]"}, got)
	in.Add("specs.json", []byte(lockSpecs))
	got = in.answer(situations[4], in.Runs[0])
	require.Equal(t, "queue/mcs", got.Best)
	require.True(t, got.Spins)
	require.Equal(t, "no lock that was measured has this property", in.answer(situations[2], in.Runs[0]).Without, "these locks spin")
	require.Equal(t, "no lock that was measured has this property", in.answer(situations[6], in.Runs[0]).Without)
	require.Contains(t, written(t, in), "only <b>queue/mcs</b> fits; 40.1 [40.0, 40.2] ns.")
	require.Contains(t, plain(written(t, in)), "(2 processes, by the lock's specification, with at most as many goroutines as processors)")
	require.Empty(t, in.Missing)
}

// A variant stands for its lock, and is not the next best of it.
func TestAVariantStandsForItsLock(t *testing.T) {
	in := new(Input)
	in.Add("m/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"queue-mcs": 20, "queue-mcs-padded": 10, "tas-tas": 40})))
	in.Add("specs.json", []byte(lockSpecs))
	got := in.answer(situations[1], in.Runs[0])
	require.Equal(t, "queue/mcs-padded", got.Best)
	require.Contains(t, got.Next, "tas/tas, takes 3.99 times as long")
}

// The main run of a machine is the one that compares the locks as they are used by
// default, also if another part has more results.
func TestTheMainRunHasItsRole(t *testing.T) {
	in := new(Input)
	many := map[string]float64{}
	for i := range 20 {
		many[fmt.Sprintf("a-lock%d", i)] = 10
	}
	in.Add("all/variants.txt", []byte(text("A", []int{1, 2}, many)))
	in.Add("all/run.txt", []byte(text("A", []int{1, 2, 4}, map[string]float64{"queue-mcs": 20})))
	in.Add("all/wait.txt", []byte("wait: busy\n"+text("A", []int{1, 2, 4, 8}, many)))
	in.Add("all/pinned.txt", []byte("pin: cores\n"+text("A", []int{1, 2, 4, 8}, many)))
	main := in.main()
	require.Len(t, main, 1)
	require.Equal(t, "all/run", main[0].Label)

	in = new(Input)
	loop := text("A", []int{2}, map[string]float64{"queue-mcs": 20})
	in.Add("all/sweep.txt", []byte(strings.ReplaceAll(loop, "ncs=0", "ncs=0/rate=1000")))
	in.Add("all/readers.txt", []byte("pin: cores\n"+strings.ReplaceAll(loop, "ncs=0", "ncs=0/readers=0.9")))
	require.Equal(t, "all/readers", in.main()[0].Label, "the page can conclude from it")
}

// perCount makes a file of results with times by lock and number of processes.
func perCount(cpu, more string, times map[string]map[int]float64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "cpu: %s\ncores: 2\n%s\n", cpu, more)
	for sample := range 11 {
		for name, of := range times {
			for n, ns := range of {
				fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=%d/cs=0/ncs=0 100 %g ns/op\n", name, n, ns+0.001*float64(sample))
			}
		}
	}
	return []byte(b.String())
}

// Medians without intervals lead to no answer.
func TestTooFewSamplesAreNoAnswer(t *testing.T) {
	lines := func(name string, ns, samples int) string {
		return strings.Repeat(fmt.Sprintf("BenchmarkPassage/alg=%s/procs=2/cs=0/ncs=0 100 %d ns/op\n", name, ns), samples)
	}
	in := new(Input)
	in.Add("m/run.txt", []byte("cpu: A\ncores: 2\n"+lines("queue-mcs", 10, 3)+lines("baseline-mutex", 2000, 3)))
	require.Equal(t, "too few samples to choose among 2 locks: take 5 of each", in.answer(situations[1], in.Runs[0]).Without)
}

// A lock is fair from an index of 0.95 on.
func TestTheFastestFairLock(t *testing.T) {
	line := func(name string, ns int, jain float64) string {
		return strings.Repeat(fmt.Sprintf("BenchmarkPassage/alg=%s/procs=2/cs=0/ncs=0 100 %d ns/op %g jain-short\n", name, ns, jain), 11)
	}
	in := new(Input)
	in.Add("m/run.txt", []byte("cpu: A\ncores: 2\n"+line("tas-tas", 10, 0.94)+line("queue-ticket", 20, 0.95)+line("queue-mcs", 30, 1)))
	require.Equal(t, "queue/ticket", in.answer(situations[3], in.Runs[0]).Best)
}

// A lock that is left out because of its samples is named, for it may be the best.
func TestLocksLeftOutAreNamed(t *testing.T) {
	in := new(Input)
	in.Add("specs.json", []byte(lockSpecs))
	doubtful := func(name string) string {
		return strings.Repeat("BenchmarkPassage/alg="+name+"/cs=0/ncs=0 100 5 ns/op 3 least-passages\n", 9)
	}
	in.Add("m/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"queue-mcs": 20})+doubtful("tas-tas/procs=1")+doubtful("tas-tas/procs=2")+doubtful("baseline-mutex/procs=2")))
	require.Contains(t, in.Recommendations()[0].Sentences, "The comparison leaves out doubtful samples: tas/tas with 1 and 2 processes; baseline/mutex with 2 processes. Measure for longer, or on a quiet machine.")
}

// Sharp differences between machines come with what else the runs differ in.
func TestMachinesThatDifferSharply(t *testing.T) {
	in := new(Input)
	locks := map[string]map[int]float64{"queue-mcs": {8: 100}}
	in.Add("a/run.txt", perCount("A", "# commit: one\nwait: turns\n", locks))
	in.Add("b/run.txt", perCount("B", "# commit: two\nwait: turns\n", map[string]map[int]float64{"queue-mcs": {8: 2000}}))
	require.Equal(t, []string{"With 8 processes, queue/mcs takes 20.0 times as long on B, 2 cores as on A, 2 cores. " +
		"Do not attribute this to the machines: the runs also differ in commit (one, two)."}, in.apart(in.main()))
	in = new(Input)
	in.Add("a/run.txt", perCount("A", "", locks))
	in.Add("b/run.txt", perCount("B", "", map[string]map[int]float64{"queue-mcs": {8: 400}}))
	require.Empty(t, in.apart(in.main()), "four times as long is not sharp")

	in = new(Input)
	in.Add("a/run.txt", perCount("A", "", locks))
	in.Add("b/run.txt", perCount("B", "BenchmarkQuiet 1 0.8 other-load 0 stolen\n", map[string]map[int]float64{"queue-mcs": {8: 2000}}))
	require.True(t, strings.HasSuffix(in.apart(in.main())[0], " The machine was NOT quiet during b/run.txt, so other programs may explain the difference."), in.apart(in.main()))
}

// A run with work in and between critical sections, and no other, is concluded from with its
// work. A run with several kinds of work, and none without, is not.
func TestTheConclusionOfARunWithWork(t *testing.T) {
	loaded := func(cs string, ns float64) string {
		return strings.ReplaceAll(text("A", []int{1, 2}, map[string]float64{"queue-mcs": ns, "baseline-mutex": 2 * ns}), "cs=0/ncs=0", cs)
	}
	concluded := func(files ...string) (*Input, conclusion) {
		in := new(Input)
		in.Add("specs.json", []byte(lockSpecs))
		in.Add("m/run.txt", []byte("pin: cores\n"+strings.Join(files, "")+"# ended: interrupted after 12 of 54 samples\n"))
		return in, in.conclusions()[0]
	}
	const worth = "Use queue/mcs with at most as many goroutines as processors: it takes 0.50 times as long (0.50 to 0.50) as sync.Mutex in the mean over 1 to 2 processes, the most that was measured."
	in, c := concluded(loaded("cs=200/ncs=1000", 300))
	require.Equal(t, worth, c.Sentences[0])
	require.Contains(t, c.Conditions, "work of 200ns inside and 1µs outside the critical section; processes pinned to cores; ")
	require.True(t, strings.HasSuffix(c.Conditions, "; file m/run.txt; interrupted after 12 of 54 samples"), c.Conditions)
	require.Contains(t, plain(written(t, in)), "2 processes, cs=200 ncs=1000")

	_, c = concluded(loaded("cs=200/ncs=1000", 300), loaded("cs=0/ncs=0", 20))
	require.Contains(t, c.Conditions, "no work inside or outside the critical section", "a run without work comes first")
	require.Equal(t, "20.1 [20.0, 20.2] ns", c.Answers[0].Median)

	_, c = concluded(loaded("cs=200/ncs=1000", 300), loaded("cs=500/ncs=0", 600))
	require.Equal(t, []string{"No recommendation: the run has closed loops with different work, and none without work. The charts have its figures."}, c.Sentences)
	require.NotContains(t, c.Conditions, "no work inside")
	_, c = concluded(loaded("cs=0/ncs=0/touch=1", 20))
	require.Equal(t, []string{"No recommendation: the run has no closed loop with critical sections that check, and without kills. The charts have its figures."}, c.Sentences)

	in, c = concluded(loaded("cs=200/ncs=0/readers=0.9", 300))
	require.Equal(t, worth, c.Sentences[0])
	require.Contains(t, c.Conditions, "work of 200ns inside and 0s outside the critical section; 90% of the passages only read; ")
	require.Contains(t, plain(written(t, in)), "2 processes, cs=200 ncs=0 readers=0.9")
}

// Too few samples have no interval, and the page says so instead of "[?, ?]".
func TestNoInterval(t *testing.T) {
	in := new(Input)
	in.Add("x.txt", []byte(strings.Repeat("BenchmarkPassage/alg=tas-tas/procs=1/cs=0/ncs=0 100 10 ns/op\n", 5)))
	page := plain(written(t, in))
	require.Contains(t, page, "10.0 (no interval: 5 samples, it takes 6)")
	require.NotContains(t, page, "?,")
}
