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

// many has locks at four numbers of processes; one has doubtful samples with 4.
func many(locks int) []*benchfmt.Result {
	var all []*benchfmt.Result
	for i := range locks {
		for _, procs := range []int{1, 2, 4, 8} {
			for sample := range 9 {
				values := []bench.Value{{Value: float64((100+10*i)*procs) + float64(sample)/10, Unit: "ns/op"}}
				if i == 3 && procs == 4 && sample < 2 {
					values = append(values, bench.Value{Value: 5, Unit: "least-passages"})
				}
				all = append(all, bench.Line{Name: fmt.Sprintf("Passage/alg=a-lock%02d/procs=%d/cs=0/ncs=0", i, procs), Iterations: 1, Values: values}.Result())
			}
		}
	}
	return all
}

// A ranking of many locks takes less than a screen, and says which samples are left out.
func TestAShortRanking(t *testing.T) {
	for _, locks := range []int{20, 60} {
		var out bytes.Buffer
		require.NoError(t, New(many(locks)).WriteShort(&out, "-long"))
		lines := strings.Split(out.String(), "\n")
		require.Less(t, len(lines), 40)
		require.Contains(t, out.String(), "\n#   algorithm  procs=1")
		require.Regexp(t, `\n1   a/lock00   100 \[100, 101\] \*  +200 \[200, 201\] \*`, out.String())
		require.Contains(t, out.String(), "a/lock03, procs=4: 2 of 9 samples left out: a process made only 5 passages\n")
		require.Contains(t, out.String(), "-long prints every column")
		require.Equal(t, locks > mostLocks, strings.Contains(out.String(), fmt.Sprintf("and %d more\n", locks-mostLocks)))
	}
}

// What fits on a screen is written in full, and so is what has no columns in common.
func TestAShortRankingOfLittle(t *testing.T) {
	var short, full bytes.Buffer
	r := New(results())
	require.NoError(t, r.WriteShort(&short, "-long"))
	require.NoError(t, r.WriteText(&full))
	require.Equal(t, full.String(), short.String())
}
