package clitest

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// manyFlags is how many flags a verb's help shows without headings.
const manyFlags = 10

// Flags tests that the verbs together have at most so many flags, counted as help shows
// them, verb by verb. It tests that a verb with many flags declares groups.
func (p Program) Flags(t *testing.T, most int) {
	t.Helper()
	all, each := 0, ""
	for _, v := range p.Verbs {
		require.NoError(t, v.CheckTable())
		fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
		v.Setup(fs)
		n := v.Shown()
		if all += n; n > manyFlags {
			require.NotEmpty(t, v.Groups, v.Name)
		}
		each += fmt.Sprintf("%s %d, ", v.Name, n)
	}
	require.LessOrEqual(t, all, most, "flags of %s: %s", p.Name, each)
}
