package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// measured makes a file of results on two cores, with 11 samples of each lock that are close to
// a time by number of processes: 1, 2 and so on.
func measured(config string, times map[string][]float64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "cpu: A\ncores: 2\n%s\n", config)
	for sample := range 11 {
		for name, of := range times {
			for i, ns := range of {
				fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=%d/cs=0/ncs=0 100 %g ns/op\n", name, 1<<i, ns*(1+0.001*float64(sample)))
			}
		}
	}
	return []byte(b.String())
}

const (
	quiet = "BenchmarkQuiet 1 0.01 other-load 0 stolen\n"
	noisy = "BenchmarkQuiet 1 0.83 other-load 0 stolen\n"
)

// TestRecommend: results of a known answer lead to this answer.
func TestRecommend(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		times  map[string][]float64
		want   []string // the first sentences
		lock   string
		locks  []string
	}{
		"one lock is twice as fast": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 40}, "queue-mcs": {5, 10, 20}, "tas-tas": {11, 22, 44}},
			[]string{
				"Use queue/mcs with at most as many goroutines as processors: it takes 0.50 times as long (0.50 to 0.50) as sync.Mutex in the mean over 1 to 4 processes, the most that was measured.",
				"With more goroutines than processors, use sync.Mutex."},
			"queue/mcs", []string{"queue/mcs"}},
		"one lock that sleeps is twice as fast": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 40}, "baseline-channel": {5, 10, 20}},
			[]string{"Use baseline/channel: it takes 0.50 times as long (0.50 to 0.50) as sync.Mutex in the mean over 1 to 4 processes, the most that was measured."},
			"baseline/channel", []string{"baseline/channel"}},
		"no difference": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 40}, "queue-mcs": {10, 20, 40}, "tas-tas": {10, 20, 40}},
			[]string{
				"Use sync.Mutex: no other lock here is faster in the mean over 1 to 4 processes, the most that was measured.",
				"If no process may ever starve, use queue/mcs with at most as many goroutines as processors; it takes 1.0 times as long (0.99 to 1.0) in the mean over 1 to 4 processes."},
			mutex, []string{mutex, "queue/mcs"}},
		"noise": {noisy, map[string][]float64{"baseline-mutex": {10, 20, 40}, "queue-mcs": {5, 10, 500}},
			[]string{
				"No recommendation: other programs used 83 % of this machine. Run it again when it is quiet.",
				"On this busy machine, with 4 processes, queue/mcs takes at least 12 times as long as baseline/mutex."},
			"", nil},
		"only locks for two processes are good": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 40}, "dekker-dekker": {5, 10}, "queue-mcs": {20, 40, 80}, "tas-tas": {50, 100, 200}},
			[]string{"Use sync.Mutex: no other lock here is faster in the mean over 1 to 4 processes, the most that was measured."},
			mutex, []string{mutex, "queue/mcs"}},
		"only two processes were measured": {quiet, map[string][]float64{"baseline-mutex": {10, 20}, "dekker-dekker": {5, 10}},
			[]string{"Use dekker/dekker (for two processes) with at most as many goroutines as processors: it takes 0.50 times as long (0.50 to 0.50) as sync.Mutex in the mean over 1 to 2 processes, the most that was measured."},
			"dekker/dekker", []string{"dekker/dekker"}},
		"oversubscribed": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 40}, "queue-mcs": {5, 10, 4000}},
			[]string{
				"Use sync.Mutex: no other lock here is faster in the mean over 1 to 4 processes, the most that was measured.",
				"Use queue/mcs with at most as many goroutines as processors: it takes 0.50 times as long (0.50 to 0.50) in the mean over 1 to 2 processes.",
				"If no process may ever starve, use queue/mcs with at most as many goroutines as processors; it takes 2.9 times as long (2.9 to 2.9) in the mean over 1 to 4 processes."},
			mutex, []string{mutex, "queue/mcs"}},
		"slower only with fewer processes than processors": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 400}, "queue-mcs": {10, 40, 20}},
			[]string{"Use sync.Mutex: queue/mcs takes 0.46 times as long (0.46 to 0.47) in the mean over 1 to 4 processes, the most that was measured, but 2.0 times as long (2.0 to 2.0) with 2 processes."},
			mutex, nil},
		"faster only with more processes than processors": {quiet, map[string][]float64{"baseline-mutex": {10, 20, 400}, "queue-mcs": {10, 20, 20}},
			[]string{"Use sync.Mutex: queue/mcs takes 0.37 times as long (0.37 to 0.37) in the mean over 1 to 4 processes, the most that was measured, but it spins, and nothing shows that it is faster with at most as many goroutines as processors."},
			mutex, nil},
		"many are too close to call": {quiet, map[string][]float64{"baseline-mutex": {10, 20}, "queue-mcs": {5, 10}, "queue-ticket": {5, 10}, "tas-tas": {5, 10}, "cas-cas": {5, 10}, "baseline-channel": {5, 10}},
			[]string{
				"Use baseline/channel: it takes 0.50 times as long (0.50 to 0.50) as sync.Mutex in the mean over 1 to 2 processes, the most that was measured. " +
					"4 locks are too close to it to call; of these, queue/mcs and queue/ticket are first-come-first-served."},
			"baseline/channel", nil},
		"sync.Mutex was not measured": {quiet, map[string][]float64{"queue-ticket": {10, 20}, "queue-mcs": {5, 10}},
			[]string{
				"No recommendation: sync.Mutex was not measured, so nothing shows whether another lock is worth it. Measure baseline/mutex in the same run.",
				"Of the measured locks, queue/mcs costs the least in the mean over 1 to 2 processes, the most that was measured.",
				"The next, queue/ticket, takes 2.0 times as long (2.0 to 2.0)."},
			"", nil},
		"the frequencies differ": {"BenchmarkQuiet 1 0.01 other-load 0 stolen 1000 slowest-MHz 2000 fastest-MHz\n", map[string][]float64{"baseline-mutex": {10}},
			[]string{
				"Use sync.Mutex: no other lock was measured with 1 process, the most that was measured.",
				"The machine was NOT quiet: 1.0% of the processors' time went to other programs; 0.0% was stolen by the host; the processors ran at 1000 to 2000 MHz."},
			mutex, []string{mutex}},
	} {
		in := new(Input)
		in.Add("specs.json", []byte(lockSpecs))
		in.Add("m/run.txt", measured(c.config, c.times))
		require.Empty(t, in.Missing)
		all := in.Recommendations()
		require.Len(t, all, 1)
		rec := all[0]
		require.Equal(t, c.want, rec.Sentences[:min(len(rec.Sentences), len(c.want))], name)
		require.Equal(t, c.lock, rec.Lock, name)
		if c.locks != nil || c.lock == "" {
			require.Equal(t, c.locks, rec.Locks, name)
		}
		page := written(t, in)
		for _, sentence := range rec.Sentences {
			require.Contains(t, plain(page), sentence, name)
		}
		require.Equal(t, c.lock == "", strings.Contains(page, `class="advice none"`), name)
		require.Equal(t, c.config != noisy, strings.Contains(page, "By situation"), name)
		for _, a := range in.conclusions()[0].Answers {
			require.False(t, strings.Contains(a.Best, "dekker") && !strings.Contains(rec.Lock, "dekker"), "%s: %s", name, a.Situation)
		}
		for _, lock := range rec.Locks {
			require.Contains(t, page, fmt.Sprintf(`<a href="#lock/%s">%[1]s</a> `, lock))
		}
	}
}

// TestOnlyCrowded: if only more processes than processors were measured, no lock that spins is
// recommended in place of sync.Mutex.
func TestOnlyCrowded(t *testing.T) {
	in := new(Input)
	in.Add("specs.json", []byte(lockSpecs))
	in.Add("m/run.txt", []byte(strings.ReplaceAll(string(measured(quiet, map[string][]float64{"baseline-mutex": {10}, "queue-mcs": {5}})), "procs=1", "procs=4")))
	require.Equal(t, "Use sync.Mutex: queue/mcs takes 0.50 times as long (0.50 to 0.50) with 4 processes, the most that was measured, but it spins, and nothing shows that it is faster with at most as many goroutines as processors.",
		in.Recommendations()[0].Sentences[0])
}

// TestNoSamplesNoRecommendation: without specifications or intervals there is no evidence.
func TestNoSamplesNoRecommendation(t *testing.T) {
	in := new(Input)
	in.Add("m/run.txt", measured(quiet, map[string][]float64{"baseline-mutex": {10, 20}, "queue-mcs": {5, 10}}))
	require.Equal(t, []string{"No recommendation: the specifications of the locks are missing. shmbench list -json prints them."}, in.Recommendations()[0].Sentences)
	lines := func(name string, samples int) string {
		return strings.Repeat("BenchmarkPassage/alg="+name+"/procs=2/cs=0/ncs=0 100 20 ns/op\n", samples)
	}
	in = new(Input)
	in.Add("specs.json", []byte(lockSpecs))
	in.Add("m/run.txt", []byte("cpu: A\ncores: 2\n"+lines("baseline-mutex", 5)+lines("queue-mcs", 11)))
	require.Equal(t, "No recommendation: a median needs 6 samples or more for an interval, and sync.Mutex has fewer. Measure again, with the default number of samples.", in.Recommendations()[0].Sentences[0])
}

// TestLinksOfTheAnswers: the page links once to each lock that it recommends.
func TestLinksOfTheAnswers(t *testing.T) {
	in := new(Input)
	in.Add("specs.json", []byte(lockSpecs))
	in.Add("m/run.txt", measured(quiet, map[string][]float64{"baseline-mutex": {10, 20, 40}, "queue-mcs": {30, 60, 80}, "tas-tas": {10, 19.5, 80}}))
	c := in.conclusions()[0]
	require.Equal(t, links{[]link{{mutex, "#lock/baseline/mutex"}, {"queue/mcs", "#lock/queue/mcs"}}, "#cost?only=baseline%2Fmutex&only=queue%2Fmcs"}, c.Links)
	require.Equal(t, links{[]link{{"tas/tas", "#lock/tas/tas"}}, "#cost?only=tas%2Ftas"}, c.Others)
	require.Contains(t, written(t, in), `<a href="#cost?only=baseline%2Fmutex&amp;only=queue%2Fmcs">curves</a>`)
}
