package rank

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
)

func TestNoise(t *testing.T) {
	for _, c := range []struct {
		rounds []*benchfmt.Result
		want   string
	}{
		{nil, ""},
		{[]*benchfmt.Result{round(0.05, 0.01)}, ""},
		{[]*benchfmt.Result{round(0, 0, 2000, 3000)}, ""},
		{[]*benchfmt.Result{round(0.8, 0), round(0.86, 0.02)}, "other programs used 83 % of this machine"},
		{[]*benchfmt.Result{round(0.051, 0)}, "other programs used 5.1 % of this machine"},
		{[]*benchfmt.Result{round(0.051, 0.06)}, "the host took 6.0 % of this machine's processor time"},
		{[]*benchfmt.Result{round(0, 0.0996)}, "the host took 10 % of this machine's processor time"},
	} {
		require.Equal(t, c.want, Noise(c.rounds))
	}
}

// TestNoAnswerInNoise: on a machine that is not quiet no lock is the fastest, and the first line
// says so, however many tables there are. The second sentence has the differences that no noise
// explains.
func TestNoAnswerInNoise(t *testing.T) {
	noisy := func(tables int, times map[string]float64) (first, second string) {
		all := []*benchfmt.Result{round(0.83, 0)}
		for procs := range tables {
			for lock, ns := range times {
				for sample := range 9 {
					values := []bench.Value{{Value: ns + float64(sample), Unit: "ns/op"}}
					all = append(all, bench.Line{Name: fmt.Sprintf("Passage/alg=%s/procs=%d/cs=0/ncs=0", lock, procs+1), Iterations: 1, Values: values}.Result())
				}
			}
		}
		r := New(all)
		for _, write := range []func(*bytes.Buffer) error{func(b *bytes.Buffer) error { return r.WriteText(b) }, func(b *bytes.Buffer) error { return r.WriteShort(b, "-long", View{}) }} {
			var out bytes.Buffer
			require.NoError(t, write(&out))
			line, rest, _ := strings.Cut(out.String(), "\n")
			require.Equal(t, "No recommendation: other programs used 83 % of this machine. Run it again when it is quiet.", line)
			require.NotContains(t, rest, "is the fastest")
		}
		answers := r.Answers()
		require.Len(t, answers, 2)
		return answers[0], answers[1]
	}
	_, said := noisy(1, map[string]float64{"a-quick": 10, "a-near": 150, "a-slow": 300, "a-slower": 301})
	require.Equal(t, "On this busy machine, with 1 process, a/slower and 1 other lock take at least 17 times as long as a/quick.", said)
	_, said = noisy(2, map[string]float64{"a-quick": 10, "a-slow": 169})
	require.Equal(t, "On this busy machine, with 1 process, a/slow takes at least 10 times as long as a/quick; with 2 processes, a/slow takes at least 10 times as long as a/quick.", said)
	_, said = noisy(1, map[string]float64{"a-quick": 10, "a-slow": 168})
	require.Equal(t, "No lock certainly takes ten times as long as the fastest.", said)
	_, said = noisy(9, map[string]float64{"a-quick": 10, "a-slow": 500})
	require.Equal(t, mostAnswers, strings.Count(said, "at least"))
}
