package benchfile_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"shmbench/bench/benchfile"
)

// What "go test -bench" prints for one benchmark of a package.
const (
	header = "goos: linux\npkg: example.com/x\n"
	a      = "BenchmarkA-2   \t  100000\t     101.0 ns/op\nBenchmarkA-2   \t  100000\t     102.5 ns/op\n"
	ours   = "# format: shmbench results 2\n" + header + a
	passes = "PASS\nok  \texample.com/x\t3.1s\n"
	fails  = "    x_test.go:12: no such file\nFAIL\nexit status 1\nFAIL\texample.com/x\t1.2s\n"
)

// inUTF16 is a text as PowerShell writes it.
func inUTF16(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"))) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// TestWhatGoTestPrints: what is whole is read, and what is missing is said. A file without the
// header of "go test" need not say how it ended.
func TestWhatGoTestPrints(t *testing.T) {
	whole := header + a + passes
	for text, want := range map[string]string{
		whole:                                   "",
		a:                                       "",
		whole + whole[:len(whole)-1]:            "",
		"\xef\xbb\xbf" + whole:                  "",
		inUTF16(binary.LittleEndian, whole):     "",
		inUTF16(binary.BigEndian, whole):        "",
		strings.ReplaceAll(whole, "\n", "\r\n"): "",
		header + a + "BenchmarkB-2   \t--- SKIP: BenchmarkB-2\n    x_test.go:3: not here\n" + passes: "",
		header + a + "panic: is a word that a benchmark printed\n" + passes:                          "",

		header + a + "--- FAIL: BenchmarkB\n" + fails:                           "BenchmarkB failed",
		header + a + "BenchmarkB-2   \t--- FAIL: BenchmarkB-2\n" + fails:        "BenchmarkB-2 failed",
		header + a + "BenchmarkB-2   \tprinted--- FAIL: BenchmarkB-2\n" + fails: "BenchmarkB-2 failed",
		header + a + "--- FAIL: BenchmarkB\nFAIL\n":                             "BenchmarkB failed",
		whole + "--- FAIL: TestX\n" + fails + "FAIL\n":                          "TestX failed",
		whole + "FAIL\texample.com/y [build failed]\n" + whole + "FAIL\n":       "example.com/y failed",
		header + a + "FAIL\n": "it ends with FAIL",
		header + a + "BenchmarkB-2   \tpanic: nil map\n\ngoroutine 21 [running]:\nexit status 2\nFAIL\texample.com/x\t0.6s\nFAIL\n": "BenchmarkB-2 panic: nil map",
		header + a + "panic: test timed out after 1s\n" + fails:                                                                     "panic: test timed out after 1s",
		a + "fatal error: all goroutines are asleep - deadlock!\n":                                                                  "fatal error: all goroutines are asleep - deadlock!",

		a + "BenchmarkA 1 NaN ns/op\nBenchmarkA 1 +Inf jain\n": "line 3: NaN ns/op is no measurement, line 4: +Inf jain is no measurement",
		a + "BenchmarkA 1 -5 ns/op\nBenchmarkA 1 -0.5 ns/op\n": "line 3: -5 ns/op is below zero, line 4: -0.5 ns/op is below zero",
		a + strings.Repeat("BenchmarkA 1 -5 x\n", 7):           "line 3: -5 x is below zero, line 4: -5 x is below zero, line 5: -5 x is below zero, line 6: -5 x is below zero, line 7: -5 x is below zero, and 2 more",

		header + a: "cut off in package example.com/x: no PASS or FAIL follows",
		ours + "PASS\n# ended: complete\n" + whole:                  "",
		whole + ours + "FAIL\n# ended: 1 of 2 samples were taken\n": "1 of 2 samples were taken",
		ours + "PASS\n": "cut off before the line that says how it ended",
		ours + ours + "PASS\n# ended: complete\n": "cut off before the line that says how it ended",
		header + a + whole:                        "cut off in package example.com/x: no PASS or FAIL follows",
		header + a + "BenchmarkC-2   \t":          "cut off in the line BenchmarkC-2",
		a + "some words":                          "cut off in the line some words",
		a + "# ended: comple":                     "cut off in the line # ended: comple",
		a + "BenchmarkA-2 100000 1 ns/op":         "cut off in the line BenchmarkA-2",
		strings.TrimSuffix(inUTF16(binary.LittleEndian, header+a+"B"), "\x00"): "cut off in package example.com/x: no PASS or FAIL follows",
	} {
		f, err := benchfile.Read(strings.NewReader(text), "f")
		require.NoError(t, err, text)
		require.Equal(t, want, f.Incomplete, text)
		require.Len(t, f.Results, 2, text)
		require.Equal(t, "A", string(f.Results[1].Name))
		require.Equal(t, 102.5, f.Results[1].Values[0].OrigValue)
	}
}

// TestSkippedLines: text that a benchmark printed in its line costs that sample, with a note
// that quotes it, and nothing is missing.
func TestSkippedLines(t *testing.T) {
	f, err := benchfile.Read(strings.NewReader(header+a+"BenchmarkB-2   \topening cache of 12 MB\n  100000\t     201.0 ns/op\n"+passes), "f")
	require.NoError(t, err)
	require.Empty(t, f.Incomplete)
	require.Len(t, f.Results, 2)
	require.Equal(t, []string{`line 5 is skipped (parsing iteration count: invalid syntax): "BenchmarkB-2   \topening cache of 12 MB"`}, f.Notes)
	f, err = benchfile.Read(strings.NewReader(a+"BenchmarkA 10 5\n"), "f")
	require.NoError(t, err)
	require.Equal(t, []string{`line 3 is skipped (missing units): "BenchmarkA 10 5"`}, f.Notes)
}

// TestCopies: a file that is there twice has its samples once. Samples that only look alike
// are samples.
func TestCopies(t *testing.T) {
	const b = "BenchmarkB-2   \t  100000\t     7 ns/op\n"
	whole, other := header+a+passes, header+b+a+passes
	for text, want := range map[string]struct {
		results int
		notes   []string
	}{
		whole + whole:         {2, []string{"lines 9 to 10 repeat lines 3 to 4: each sample counts once"}},
		a + a:                 {2, []string{"lines 3 to 4 repeat lines 1 to 2: each sample counts once"}},
		a + a + a:             {2, []string{"lines 3 to 4 repeat lines 1 to 2: each sample counts once", "lines 5 to 6 repeat lines 1 to 2: each sample counts once"}},
		whole + other + whole: {5, []string{"lines 16 to 17 repeat lines 3 to 4: each sample counts once"}},
		b + b + b + b:         {4, nil},
		a + b + a:             {5, nil},
		header + b + passes + header + b + passes: {2, nil},
	} {
		f, err := benchfile.Read(strings.NewReader(text), "f")
		require.NoError(t, err)
		require.Len(t, f.Results, want.results, text)
		require.Equal(t, want.notes, f.Notes, text)
	}
}
