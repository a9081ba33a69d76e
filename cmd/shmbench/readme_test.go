package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
)

// TestNumberOfLocks: the README says that there are more than so many locks, which is
// true, and not less than nine tenths of them.
func TestNumberOfLocks(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	said := regexp.MustCompile(`It has more than (\d+) locks`).FindSubmatch(text)
	require.NotNil(t, said, "the README says how many locks there are")
	n, err := strconv.Atoi(string(said[1]))
	require.NoError(t, err)
	locks := 0
	for _, a := range catalog.All() {
		if a.VariantOf == "" {
			locks++
		}
	}
	require.Less(t, n, locks)
	require.Greater(t, 10*n, 9*locks, "the README is out of date: there are %d locks", locks)
}

// TestLengthOfREADME: a visitor reads the README in five minutes.
func TestLengthOfREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, len(regexp.MustCompile(`\S+`).FindAll(text, -1)), 900)
}
