package check_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// A row whose execution panicked says so, and no cell of it reassures.
func TestARowOfAPanic(t *testing.T) {
	bypass := 1
	r := &check.Report{Algorithm: "a/b", N: 3, MutualExclusion: check.Holds, DeadlockFreedom: check.Holds, StarvationFreedom: check.Holds, PanicFreedom: check.Holds, Bypass: &bypass}
	row := func() string {
		var text bytes.Buffer
		require.NoError(t, check.Table{r}.WriteText(&text))
		lines := bytes.Split(text.Bytes(), []byte("\n"))
		return string(lines[1])
	}
	require.Regexp(t, `^a/b +3 +any +0, not all +yes +free +nobody +1 `, row())
	r.PanicFreedom = check.Violated
	require.Regexp(t, `^a/b +3 +any +0, not all +PANICS +- +- +- +- +- +- `, row())
	require.NotContains(t, row(), "yes")
}

// What overflowing words would break is said once for each lock, after the verdicts.
func TestOverflowIsSaidOnce(t *testing.T) {
	o := &check.Overflow{Modulo: 4, Words: "uint64", MutualExclusion: check.Violated, DeadlockFreedom: check.Holds, StarvationFreedom: check.Violated}
	var text bytes.Buffer
	require.NoError(t, check.Table{{Algorithm: "a/b", N: 2, Overflow: o}, {Algorithm: "a/b", N: 3, Overflow: o}}.WriteText(&text))
	require.Contains(t, text.String(), "\na/b, n = 2: the verdict is about uint64 words that do not overflow. With 2-bit words and any number of passages, mutual exclusion and starvation freedom would fail.\n")
	require.Equal(t, 1, bytes.Count(text.Bytes(), []byte("would fail")))
}
