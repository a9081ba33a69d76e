package benchfile_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/machine/topo"
)

// kinds returns the facts about a result: its configuration and its provenance.
func kinds(r *benchfmt.Result) (configuration, provenance map[string]string) {
	configuration, provenance = map[string]string{}, map[string]string{}
	for _, c := range r.Config {
		into := provenance
		if c.File {
			into = configuration
		}
		into[c.Key] = string(c.Value)
	}
	return configuration, provenance
}

// A file of this form and one of the old form say the same.
func TestFactsOfBothForms(t *testing.T) {
	var out closer
	w, err := benchfile.NewWriter(&out, []topo.Pair{
		{Key: "goos", Value: "linux"}, {Key: "kernel", Value: "Linux 6"}, {Key: "gomaxprocs", Value: "4"},
		{Key: "command", Value: "shmbench run -o=a.txt"}, {Key: "wait", Value: "busy"}, {Key: "pin", Value: "false"},
	})
	require.NoError(t, err)
	require.NoError(t, w.Write(line))
	require.NoError(t, w.End(""))
	const old = "Unit ns/op better=lower\nformat: shmbench results 1\ngoos: linux\nkernel: Linux 6\ngomaxprocs: 4\npin: false\nwait: busy\n" +
		"command: shmbench run -o=a.txt\npkg: shmbench/bench\n\nBenchmarkPassage/alg=queue-mcs/procs=2/cs=0/ncs=0 1000 81.5 ns/op 0.25 jain\n\nended: complete\n"
	for form, text := range map[string]string{"shmbench results 2": out.String(), "shmbench results 1": old} {
		f, err := benchfile.Read(strings.NewReader(text), "f")
		require.NoError(t, err)
		require.Empty(t, f.Incomplete)
		require.Len(t, f.Results, 1)
		require.Equal(t, line.Name, string(f.Results[0].Name))
		configuration, provenance := kinds(f.Results[0])
		require.Equal(t, map[string]string{"goos": "linux", "pkg": "shmbench/bench", "gomaxprocs": "4", "pin": "false", "wait": "busy"}, configuration)
		require.Equal(t, map[string]string{"format": form, "kernel": "Linux 6", "command": "shmbench run -o=a.txt", ".file": "f"}, provenance)
	}
}

// GOMAXPROCS is read where "go test" writes it, and the name is the same without it.
func TestGOMAXPROCSOfNames(t *testing.T) {
	f, err := benchfile.Read(strings.NewReader("wait: busy\nBenchmarkA/b=1 1 5 ns/op\nBenchmarkA/b=1-2 1 5 ns/op\nBenchmarkA/b=1-16 1 5 ns/op\nBenchmarkA/b=1 1 5 ns/op\ngomaxprocs: 4\nBenchmarkA/b=1 1 5 ns/op\n"), "f")
	require.NoError(t, err)
	var got []string
	for _, r := range f.Results {
		require.Equal(t, "A/b=1", string(r.Name))
		configuration, _ := kinds(r)
		got = append(got, configuration["gomaxprocs"])
	}
	require.Equal(t, []string{"1", "2", "16", "1", "4"}, got, "no suffix means 1 where other names have one")
	f, err = benchfile.Read(strings.NewReader("BenchmarkA 1 5 ns/op\n"), "f")
	require.NoError(t, err)
	require.Empty(t, f.Results[0].GetConfig("gomaxprocs"), "nobody says it")
}

// Provenance holds for the results below it, and a later value replaces it.
func TestProvenanceHoldsForWhatIsBelow(t *testing.T) {
	f, err := benchfile.Read(strings.NewReader("# lock/a/b: {\"name\": \"a/b\"}\n# commit: 1\n# cpu: none\ncpu: x\nBenchmarkA 1 5 ns/op\n# commit: 2\nBenchmarkA 1 5 ns/op\n"), "f")
	require.NoError(t, err)
	var commits []string
	for _, r := range f.Results {
		commits = append(commits, r.GetConfig("commit"))
		require.Equal(t, "x", r.GetConfig("cpu"), "configuration is never read from provenance")
		require.Equal(t, `{"name": "a/b"}`, r.GetConfig("lock/a/b"))
	}
	require.Equal(t, []string{"1", "2"}, commits)
}

// The benchmarks are those of package bench, or of the package that the facts name.
func TestThePackageOfAFile(t *testing.T) {
	for given, want := range map[string]string{"": "shmbench/bench", "example.com/ownlock": "example.com/ownlock"} {
		var facts []topo.Pair
		if given != "" {
			facts = []topo.Pair{{Key: "pkg", Value: given}}
		}
		var out closer
		_, err := benchfile.NewWriter(&out, facts)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(out.String(), "pkg: "))
		require.Contains(t, out.String(), "\npkg: "+want+"\n")
	}
}

// Names end with GOMAXPROCS as those of "go test" do, which has no "-1".
func TestNamesAreWrittenAsGoTestWritesThem(t *testing.T) {
	for processors, want := range map[string]string{"1": line.Name, "2": line.Name + "-2", "": line.Name} {
		var facts []topo.Pair
		if processors != "" {
			facts = []topo.Pair{{Key: "gomaxprocs", Value: processors}}
		}
		var out closer
		w, err := benchfile.NewWriter(&out, facts)
		require.NoError(t, err)
		require.NoError(t, w.Write(bench.Line{Name: line.Name, Iterations: 1, Values: line.Values}))
		r := benchfmt.NewReader(bytes.NewReader(out.Bytes()), "f")
		for r.Scan() {
			if result, ok := r.Result().(*benchfmt.Result); ok {
				require.Equal(t, want, string(result.Name))
			}
		}
	}
}

// A file has a part for each configuration in it, and forks stay in theirs.
func TestParts(t *testing.T) {
	f, err := benchfile.Read(strings.NewReader("wait: busy\n# fork: 1\nBenchmarkA-2 1 5 ns/op\nBenchmarkA-4 1 6 ns/op\nwait: yield\nBenchmarkA-2 1 7 ns/op\nBenchmarkB-2 1 8 ns/op\n"), "f")
	require.NoError(t, err)
	got := map[string]int{}
	for _, p := range f.Parts() {
		require.Equal(t, "f", p.Name)
		require.Len(t, p.Parts(), 1)
		got[p.Part] = len(p.Results)
	}
	require.Equal(t, map[string]int{"gomaxprocs=2 wait=busy": 1, "gomaxprocs=4 wait=busy": 1, "gomaxprocs=2 wait=yield": 2}, got)
	require.Len(t, benchfile.ByFork(f.Results), 4, "no medians over different configurations")
}

// The specification of a lock is read as it was written.
func TestSpecifications(t *testing.T) {
	var out closer
	const specification = `{"name":"mine/lock","title":"a\nb"}`
	w, err := benchfile.NewWriter(&out, []topo.Pair{{Key: "goos", Value: "linux"}, {Key: bench.SpecificationKey + "mine/lock", Value: specification}})
	require.NoError(t, err)
	require.NoError(t, w.Write(line))
	require.NoError(t, w.End(""))
	f, err := benchfile.Read(strings.NewReader(out.String()+"# lock/yours: {}\nBenchmarkA 1 5 ns/op\n"), "f")
	require.NoError(t, err)
	require.Equal(t, map[string]json.RawMessage{"mine/lock": json.RawMessage(specification), "yours": json.RawMessage("{}")}, f.Specifications())
	f.Results = []*benchfmt.Result{{}, {Config: []benchfmt.Config{{Key: bench.SpecificationKey + "alone", Value: []byte("{}")}}}}
	require.Equal(t, map[string]json.RawMessage{"alone": json.RawMessage("{}")}, f.Specifications())
}
