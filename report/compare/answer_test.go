package compare_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench/benchfile"
	"shmbench/report/compare"
)

// passages are nine samples of each of some locks, about so many ns each, in a file with this
// header.
func passages(t *testing.T, name, header string, ns ...float64) *benchfile.File {
	var text strings.Builder
	text.WriteString(header)
	for lock, ns := range ns {
		for i := range 9 {
			fmt.Fprintf(&text, "BenchmarkPassage/alg=a-%d/procs=2 1 %v ns/op\n", lock, ns+float64(i)/1000)
		}
	}
	return lines(t, name, text.String())
}

// TestAnswer: the first line answers for made-up results, whose answer is known.
func TestAnswer(t *testing.T) {
	const noisy = "BenchmarkQuiet 1 0.83 other-load 0 stolen\n"
	a := passages(t, "x/a.txt", "", 10, 20, 30)
	other := func(text string) *benchfile.File { return lines(t, "new.txt", text) }
	six := func(of float64) string { return values("A", "ns/op", of, of+0.1, of+0.2, of+0.3, of+0.4, of+0.5) }
	for want, files := range map[string][]*benchfile.File{
		"b is faster in 3 of 3 comparisons; median 2.0 times; no lock is slower":                                            {a, passages(t, "x/b.txt", "", 5, 10, 15)},
		"b is faster in 1 of 3 comparisons; median 1.11 times; no lock is slower":                                           {a, passages(t, "b", "", 9, 20, 30)},
		"b is slower in 2 of 3 comparisons; median 15 times; no lock is faster":                                             {a, passages(t, "b", "", 10, 200, 600)},
		"b is faster in 1 of 3 comparisons; median 5.0 times; slower in 2 of 3 comparisons; median 3.0 times":               {a, passages(t, "b", "", 2, 60, 90)},
		"b is slower in 1 of 3 comparisons; median less than 1.01 times; no lock is faster":                                 {a, passages(t, "b", "", 10.02, 20, 30)},
		"no lock differs (9 samples each)":                                                                                  {a, a},
		"no lock differs (9 samples each; both runs were noisy)":                                                            {passages(t, "a", noisy, 10), passages(t, "b", noisy, 10)},
		"b is faster: 2.0 times (b was noisy)":                                                                              {passages(t, "a", "", 10), passages(t, "b", noisy, 5)},
		"no lock differs (9 samples each; b is not complete)":                                                               {a, passages(t, "b", "--- FAIL: BenchmarkB\n", 10)},
		"b is slower: 2.0 times (neither file is complete; b is of a model)":                                                {passages(t, "a", "--- FAIL: TestX\n", 10), passages(t, "b", "model: m\n--- FAIL: BenchmarkB\n", 20)},
		"no lock differs in x/b (9 samples each)\ny/b is slower in 1 of 3 comparisons; median 2.0 times; no lock is faster": {a, passages(t, "x/b.txt", "", 10), passages(t, "y/b.txt", "", 20, 20, 30)},
		"too few samples to see a difference: 1 comparison would take 5 samples each (2 samples each)":                      {other(values("A", "ns/op", 1, 2)), other(values("A", "ns/op", 8, 9))},
		"new is faster: from or to 0":                                                                                       {lines(t, "old", six(3)), lines(t, "new", values("A", "ns/op", 0, 0, 0, 0, 0, 0))},
		"no benchmark differs (6 samples each)":                                                                             {other(six(1)), other(six(1))},
		"new is better: 2.0 times":                                                                                          {lines(t, "old", strings.ReplaceAll(six(1), "ns/op", "MB/s")), other(strings.ReplaceAll(six(2.25), "ns/op", "MB/s"))},
		"new is higher: 2.0 times":                                                                                          {lines(t, "old", strings.ReplaceAll(six(1), "ns/op", "apples")), other(strings.ReplaceAll(six(2.25), "ns/op", "apples"))},
		"new has no benchmark that the first file has\nb is faster: 2.0 times":                                              {passages(t, "a", "", 10), other(six(1)), passages(t, "b", "", 5)},
	} {
		var units []string
		for _, unit := range []string{"MB/s", "apples"} {
			if files[0].Results[0].Values[0].Unit == unit || files[0].Results[0].Values[0].OrigUnit == unit {
				units = []string{unit}
			}
		}
		r, err := compare.Files(files, units)
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, r.WriteText(&out))
		require.Equal(t, want, strings.Join(r.Answer, "\n"))
		require.True(t, strings.HasPrefix(out.String(), want+"\n"), out.String())
	}
}

// TestUnitsOfAnswers: units that are better and worse in different words have a line each.
func TestUnitsOfAnswers(t *testing.T) {
	of := func(name string, ns, rate float64) *benchfile.File {
		text := ""
		for i := range 6 {
			text += fmt.Sprintf("BenchmarkPassage/alg=a-a/procs=2 1 %v ns/op %v mean-ns %v acq/s\n", ns+float64(i)/100, ns+float64(i)/100, rate+float64(i)/100)
		}
		return lines(t, name, "Unit mean-ns better=lower\n"+text)
	}
	r, err := compare.Files([]*benchfile.File{of("a", 10, 10), of("b", 20, 20)}, []string{"ns/op", "mean-ns", "acq/s"})
	require.NoError(t, err)
	require.Equal(t, []string{
		"sec/op, mean-sec: b is slower in 2 of 2 comparisons; median 2.0 times; no lock is faster",
		"acq/s: b is better: 2.0 times",
	}, r.Answer)
}
