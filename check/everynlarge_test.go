package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestEveryNLarge: a lock whose ids, loop indexes or n meet something that tells large numbers apart is not
// proved, though it does for few processes what the template does.
func TestEveryNLarge(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "everyn")
	for constructor, meets := range map[string]string{
		"NewSeventh": "the constant 6", "NewField": "the constant 6", "NewResult": "the constant 6", "NewLoop": "the constant 5",
		"NewTable": "an array whose length does not depend on n", "NewText": "a string",
		"NewMask": "&", "NewShift": ">>", "NewProduct": "*", "NewHalf": "/", "NewNarrow": "a conversion to int8",
		"NewSteps": "more than one constant", "NewSum": "a sum of two such numbers", "NewEight": "min",
	} {
		x, err := src.LockEveryN(t.Context(), constructor)
		require.NoError(t, err)
		require.Equal(t, check.Unknown, x.MutualExclusion, constructor)
		require.Regexp(t, `^check/testdata/everyn/large\.go:\d+: an id, a loop index or n meets `, x.Undecided)
		require.Contains(t, x.Undecided, " meets "+meets+", and the source was compared for n = 2 to 6 only")
		require.Equal(t, []int{2, 3, 4, 5, 6}, x.Compared)
	}
	x, err := src.LockEveryN(t.Context(), "NewOneBit")
	require.NoError(t, err)
	require.Equal(t, check.Holds, x.MutualExclusion, x.Undecided)
}
