// Package benchseries_test tests that golang.org/x/perf/benchseries reads the files
// that package benchfile writes. It is a module of its own, so that the module
// shmbench does not need what benchseries draws its charts with.
package benchseries_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchseries"
)

// golden is a file of every kind of line. A test of package benchfile writes it.
const golden = "../testdata/run.golden"

// roles are what benchseries asks for before the lines of each file.
const roles = "toolchain: ROLE\nrunstamp: 2026-01-02T00:00:00Z\nexperiment-commit-time: 2026-01-01T00:00:00Z\nexperiment-commit: b\nbaseline-commit: a\n"

// compare returns how many values benchseries has compared under each benchmark and
// unit of a baseline with an experiment, and which keys differ between the files.
func compare(t *testing.T, baseline, experiment string) (values map[string]int, differ []string) {
	dir := t.TempDir()
	var paths []string
	for role, text := range map[string]string{"baseline": baseline, "experiment": experiment} {
		path := filepath.Join(dir, role)
		before := regexp.MustCompile("ROLE").ReplaceAllLiteralString(roles, role)
		require.NoError(t, os.WriteFile(path, []byte(before+text), 0o666))
		paths = append(paths, path)
	}
	options := benchseries.DefaultBuilderOptions()
	options.Warn = func(format string, args ...any) { t.Errorf(format, args...) }
	builder, err := benchseries.NewBuilder(options)
	require.NoError(t, err)
	require.NoError(t, builder.AddFiles(benchfmt.Files{Paths: paths}))
	all, err := builder.AllComparisonSeries(nil, benchseries.DUPE_REPLACE)
	require.NoError(t, err)
	values = map[string]int{}
	for _, series := range all {
		for _, name := range series.Benchmarks {
			c, ok := series.ComparisonAt(name, "2026-01-01T00:00:00+00:00")
			require.True(t, ok)
			require.NotNil(t, c.Denominator)
			values[name+" "+series.Unit] = len(c.Numerator.Values) + len(c.Denominator.Values)
		}
		for _, residue := range series.Residues {
			if len(residue.Slice) > 1 {
				differ = append(differ, residue.S)
			}
		}
	}
	return values, differ
}

// Every value of two files of different commands is compared, and their
// configuration is the same.
func TestBenchseriesReadsEveryLine(t *testing.T) {
	text, err := os.ReadFile(golden)
	require.NoError(t, err)
	want := map[string]int{}
	reader := benchfmt.NewReader(strings.NewReader(string(text)), golden)
	for reader.Scan() {
		if r, ok := reader.Result().(*benchfmt.Result); ok {
			for _, v := range r.Values {
				want[r.Name.String()+" "+v.Unit] += 2
			}
		}
	}
	require.Greater(t, len(want), 8)
	command := regexp.MustCompile(`(?m)^# command: .*$`)
	require.Regexp(t, command, string(text))
	values, differ := compare(t, string(text), command.ReplaceAllLiteralString(string(text), "# command: another"))
	require.Equal(t, want, values)
	require.Empty(t, differ)

	// As configuration the command would set the files apart.
	values, differ = compare(t, string(text), command.ReplaceAllLiteralString(string(text), "command: another"))
	require.Equal(t, want, values)
	require.Contains(t, differ, "command")
}
