package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesSuggestWhatIsNearOnly(t *testing.T) {
	for name, says := range map[string]string{
		"bakery/lampart": `no algorithm "bakery/lampart"; did you mean "bakery/lamport"?`,
		"tickt":          `no algorithm "tickt"; did you mean "queue/ticket"?`,
		"bakry":          `no algorithm "bakry"; did you mean "bakery/lamport"?`,
		"x":              `no algorithm "x"; shmbench list shows the names`,
		"semaphore":      `no algorithm "semaphore"; shmbench list shows the names`,
		"":               `no algorithm ""; shmbench list shows the names`,
	} {
		_, err := locks().get(name)
		require.EqualError(t, err, says)
	}
	a, err := locks().get("tas/ttas")
	require.NoError(t, err)
	require.Equal(t, "tas/ttas", a.Name)
}

func TestNamesMatch(t *testing.T) {
	matched, err := locks().match("^tas/")
	require.NoError(t, err)
	require.Len(t, matched, 6)
	require.Equal(t, "tas/tas", matched[0].Name)
	for expr, says := range map[string]string{
		"tas/tttas": `no algorithm matches "tas/tttas"; did you mean "tas/ttas"?`,
		"tas,cas":   `-alg tas,cas: names are no longer listed with commas: write a regular expression, 'tas|cas'`,
		"(":         "bad regular expression \"(\": error parsing regexp: missing closing ): `(`",
	} {
		_, err := locks().match(expr)
		require.EqualError(t, err, says)
	}
	_, err = brokenLocks().match("nosuch")
	require.ErrorContains(t, err, "no mutant matches \"nosuch\"; there are mutants/peterson-turn-other, ")
}
