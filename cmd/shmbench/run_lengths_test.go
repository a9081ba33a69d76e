package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

// A sweep has the lengths of one section, and the page draws cost against them.
func TestRunSweepsLengths(t *testing.T) {
	sample.NeedsAll(t)
	for flag, c := range map[string]struct{ name, section string }{"-cs": {`cs=(\w+)/ncs=0\b`, "Cost against the critical section"}, "-ncs": {`cs=0/ncs=(\w+)`, "Cost against the remainder section"}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "r.txt")
		_, diag, code := shmbench(t.Context(), "run", "-alg", "^tas/tas$", "-procs", "1", "-d", "20ms", "-count", "1", flag, "sweep", "-o", path)
		require.Equal(t, exitHolds, code, diag)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var got []string
		for _, m := range regexp.MustCompile(`BenchmarkPassage/alg=tas-tas/procs=1/`+c.name).FindAllStringSubmatch(string(text), -1) {
			got = append(got, m[1])
		}
		require.Equal(t, []string{"0", "20", "50", "100", "200", "500", "1000", "2000", "5000"}, got, flag)
		page := filepath.Join(dir, "r.html")
		_, diag, code = shmbench(t.Context(), "report", "-o", page, path)
		require.Equal(t, exitHolds, code, diag)
		html, err := os.ReadFile(page)
		require.NoError(t, err)
		require.Contains(t, string(html), `aria-label="`+c.section+", ", "a chart")
	}
	for want, args := range map[string][]string{
		"-cs sweep cannot be combined with another sweep":            {"-cs", "sweep", "-ncs", "sweep"},
		"-cs sweep cannot be combined with -rate":                    {"-cs", "sweep", "-rate", "sweep"},
		"-ncs sweep cannot be combined with -rate":                   {"-ncs", "sweep", "-rate", "9"},
		"-cs x: write a time with its unit, such as 200ns, or sweep": {"-cs", "x"},
		"-cs -1ns: the time in the critical section must be b":       {"-cs", "-1ns"},
	} {
		_, diag, code := shmbench(t.Context(), append([]string{"run"}, args...)...)
		require.Equal(t, exitUsage, code, args)
		require.Contains(t, diag, want)
	}
}
