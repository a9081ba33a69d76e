package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesSuggestWhatIsNearOnly(t *testing.T) {
	for name, says := range map[string]string{
		"bakery/lampart": `bakery/lampart: there is no lock of this name; did you mean "bakery/lamport"?`,
		"tickt":          `tickt: there is no lock of this name; did you mean "queue/ticket"?`,
		"bakry":          `bakry: there is no lock of this name; did you mean "bakery/lamport"?`,
		"x":              `x: there is no lock of this name; shmbench list shows the names`,
		"semaphore":      `semaphore: there is no lock of this name; shmbench list shows the names`,
		"":               `'': there is no lock of this name; shmbench list shows the names`,
	} {
		_, err := locks().Get(name)
		require.EqualError(t, err, says)
	}
	a, err := locks().Get("tas/ttas")
	require.NoError(t, err)
	require.Equal(t, "tas/ttas", a.Name)
}

func TestNamesMatch(t *testing.T) {
	matched, err := locks().Match("^tas/")
	require.NoError(t, err)
	require.Len(t, matched, 6)
	require.Equal(t, "tas/tas", matched[0].Name)
	for expr, says := range map[string]string{
		"tas/tttas": `-alg tas/tttas: no lock matches; did you mean "tas/ttas"?`,
		"tas,cas":   `-alg tas,cas: names are no longer listed with commas: write a regular expression, 'tas|cas'`,
		"(":         "-alg (: this is no regular expression: missing closing )",
	} {
		_, err := locks().Match(expr)
		require.EqualError(t, err, says)
	}
	_, err = brokenLocks().Match("nosuch")
	require.ErrorContains(t, err, "-alg nosuch: no mutant matches; shmbench list -mutants shows the names")
}
