package artifact

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench/benchfile"
	"shmbench/check"
)

const document = `{"results": [{"algorithm": "a/b", "n": 2, "states": 5, "memory": "sc", "mutual_exclusion": "%s", "deadlock_freedom": "holds", "exit_progress": "holds",
	"bypass": -1, "seconds": {}, "rmr": {"dsm": {"alone": 2, "among_n": -1}}, "costs": {"amortized": {"dsm": "7/2"}}, "counterexamples": [{}]}]}`

func claims(t *testing.T, exclusion string) []*check.Report {
	t.Helper()
	c, err := ReadClaims(fmt.Appendf(nil, document, exclusion))
	require.NoError(t, err)
	return c
}

// TestClaims: a lock fails if it violates exclusion; another verdict is a difference.
func TestClaims(t *testing.T) {
	good, bad := claims(t, "holds"), claims(t, "violated")
	require.Equal(t, Right, StateOf(good))
	require.Equal(t, Wrong, StateOf(bad))
	require.Empty(t, bad[0].Counterexamples)
	require.Empty(t, Differences(good, good))
	require.Equal(t, []string{`a/b, n = 2: mutual_exclusion was "holds", and is "violated"`}, Differences(good, bad))
	require.Equal(t, []string{"a/b, n = 2: there is no verdict any more"}, Differences(good, nil))
	open := claims(t, "holds")
	open[0].Undecided = []check.Undecided{{Properties: []string{"mutual exclusion"}, Why: "stopped"}}
	require.Equal(t, Open, StateOf(open))
	require.Equal(t, Wrong, StateOf(append(open, bad...)))
	require.Equal(t, []string{"a/b, n = 2: mutual exclusion: stopped"}, failures(open))
	_, err := ReadClaims([]byte("no"))
	require.Error(t, err)
}

// TestSources: files come back as they were written, and a changed, a missing and a further file are named.
func TestSources(t *testing.T) {
	dir, files := t.TempDir(), map[string][]byte{"go.mod": []byte("module m\n"), "lock/lock.go": []byte("package lock\n")}
	require.NoError(t, WriteSources(dir, files))
	back, err := ReadSources(dir)
	require.NoError(t, err)
	require.Equal(t, files, back)
	require.Empty(t, Changed(dir, back))
	require.Equal(t, "source/go.mod", Changed(dir, map[string][]byte{"go.mod": nil, "lock/lock.go": files["lock/lock.go"]}))
	require.Equal(t, "source/lock/lock.go", Changed(dir, map[string][]byte{"go.mod": files["go.mod"]}))
	files["z.go"] = nil
	require.Equal(t, "source/z.go", Changed(dir, files))
}

// TestPredictions: an error is relative to what was measured with as many processes.
func TestPredictions(t *testing.T) {
	measured := []Cost{{Lock: "a", Procs: 1, Center: 100}, {Lock: "a", Procs: 2, Center: 100}, {Lock: "b", Procs: 1, Center: 100}}
	all := Predictions(measured, []Cost{{Lock: "a", Procs: 1, Center: 90}, {Lock: "a", Procs: 2, Center: 150}, {Lock: "b", Procs: 4, Center: 1}})
	require.Len(t, all, 2)
	require.InDelta(t, -0.1, all[0].Error(), 1e-9)
	median, largest := Errors(all)
	require.InDelta(t, 0.3, median, 1e-9)
	require.InDelta(t, 0.5, largest, 1e-9)
}

func costs(t *testing.T, a, b string) []Cost {
	t.Helper()
	var text strings.Builder
	for lock, values := range map[string]string{"tas-tas": a, "queue-mcs": b} {
		for ns := range strings.FieldsSeq(values) {
			fmt.Fprintf(&text, "BenchmarkPassage/alg=%s/procs=2/cs=0/ncs=0 1 %s ns/op\n", lock, ns)
		}
	}
	f, err := benchfile.Read(strings.NewReader(text.String()), "run.txt")
	require.NoError(t, err)
	return Costs(f.Results)
}

// TestComparisons: an order is reversed only if the intervals lie apart both times.
func TestComparisons(t *testing.T) {
	low, high := "1 2 3 4 5 6 7 8 9", "11 12 13 14 15 16 17 18 19"
	first, reversed, alike := Compare(costs(t, low, high), "tas/tas"), Compare(costs(t, high, low), "tas/tas"), Compare(costs(t, low, low), "tas/tas")
	require.Len(t, first, 1)
	require.Equal(t, -1, first[0].Apart)
	require.InDelta(t, 1.0/3, first[0].Ratio, 1e-9)
	require.Less(t, first[0].P, 0.01)
	require.Len(t, Reversed(first, reversed), 1)
	require.Empty(t, Reversed(first, alike))
	require.Empty(t, Reversed(first, first))
}

// TestFiles: the SVG is XML, the PDF has its objects where its table says, and the tables escape names.
func TestFiles(t *testing.T) {
	all := costs(t, "1 2 3", "4 5 6")
	require.NoError(t, xml.Unmarshal(SVG(all), new(struct{})))
	require.NotContains(t, string(SVG(all)), "Inf")
	pdf := PDF(all)
	require.Contains(t, string(pdf), "(tas/tas, 2 processes) Tj")
	for i, m := range regexp.MustCompile(`(?m)^(\d{10}) 00000 n`).FindAllSubmatch(pdf, -1) {
		at, err := strconv.Atoi(string(m[1]))
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(pdf[at:], fmt.Appendf(nil, "%d 0 obj", i+1)))
	}
	tables := Tables(append(claims(t, "holds"), &check.Report{Algorithm: "my_lock", N: 3, Refused: "too large"}, &check.Report{Algorithm: "my_lock", N: 2}), all, nil)
	require.Contains(t, tables, `my\_lock & 2`)
	require.NotContains(t, tables, `my\_lock & 3`)
	require.Contains(t, tables, "unbounded")
	require.Contains(t, tables, `a/b & 2 & distributed memory & unbounded & 2 & 7/2 \\`)
	require.Contains(t, tables, `tas/tas & 2 & 2 & unknown & unknown \\`)
}
