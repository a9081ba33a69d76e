package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/internal/machine/topo"
)

// The first lines of "go test -bench" have the configuration of "shmbench run", and
// the provenance is none. Each unit has its direction.
func TestBenchmarksBeginWithTheFacts(t *testing.T) {
	for cpu, gomaxprocs := range map[string]string{"2": "2", "1,2": ""} {
		for _, benchmark := range []string{"^BenchmarkPassage$", "^BenchmarkMachine$/load-bool"} {
			out, err := runProgram(t, []string{thisProgram(t), "-test.run=^$", "-test.bench=" + benchmark, "-test.benchtime=1x", "-test.cpu=" + cpu}, examEnv+"="+examPaced)
			require.NoError(t, err, out)
			require.Equal(t, 1, strings.Count(out, "\nwait: "), out)
			require.Contains(t, out, "# kernel: ")
			reader := benchfmt.NewReader(strings.NewReader(out), "out")
			results := 0
			for reader.Scan() {
				if r, ok := reader.Result().(*benchfmt.Result); ok {
					results++
					require.Equal(t, gomaxprocs, r.GetConfig("gomaxprocs"))
					require.Equal(t, "pause-yield", r.GetConfig("wait"))
					require.Equal(t, "false", r.GetConfig("pin"))
					require.Empty(t, r.GetConfig("kernel"))
				}
			}
			require.Positive(t, results, out)
			require.Equal(t, 1, reader.Units().GetBetter("jain"))
		}
	}
}

func TestFactsOfGoTest(t *testing.T) {
	machine := []topo.Pair{{Key: "goos", Value: "linux"}, {Key: "cpu", Value: "x"}, {Key: "gomaxprocs", Value: "2"}}
	waiting := []topo.Pair{{Key: "wait", Value: "pause-yield"}, {Key: "pin", Value: "false"}}
	for cpu, want := range map[string][]topo.Pair{
		"":    {{Key: "cpu", Value: "x"}, {Key: "gomaxprocs", Value: "2"}},
		"1":   {{Key: "cpu", Value: "x"}, {Key: "gomaxprocs", Value: "1"}},
		"1,2": {{Key: "cpu", Value: "x"}},
	} {
		require.Equal(t, append(want, waiting...), factsOfGoTest(machine, cpu), cpu)
	}
	require.Equal(t, "2", machine[2].Value, "it is not changed")
}
