package course

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
)

// TestExercises: there are twelve, each of a lock of the catalog to which its edit applies, and
// each says in two sentences why its goal can be reached.
func TestExercises(t *testing.T) {
	all, err := Exercises()
	require.NoError(t, err)
	require.Len(t, all, 12)
	for _, e := range all {
		a, err := catalog.Get(e.Lock)
		require.NoError(t, err)
		require.True(t, a.MinProcs <= e.N && e.N <= a.MaxProcs, e.Title)
		require.Regexp(t, `^(together|stuck|panic|(passed|past):\d:\d+)$`, e.Goal, e.Title)
		require.Equal(t, 2, strings.Count(e.Why+" ", ". "), e.Title)
		if len(e.Edits) > 0 {
			file, err := tree(t).File(e.Lock)
			require.NoError(t, err)
			_, _, err = tree(t).Apply(file, e.Edits)
			require.NoError(t, err, e.Title)
		}
	}
}

// TestExerciseErrors: an error names the file, the line and what was expected.
func TestExerciseErrors(t *testing.T) {
	for says, data := range map[string]string{
		`a.txt:2: "drop 1" is no edit`:          "exercise: a\nedit: drop 1\n",
		`a.txt:1: expected a field "goal"`:      "exercise: a\nlock: tas/tas\n",
		`"two": expected a number of processes`: "exercise: a\nn: two\n",
	} {
		_, err := parseExercises("a.txt", data)
		require.ErrorContains(t, err, says)
	}
}
