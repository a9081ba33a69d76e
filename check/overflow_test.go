package check_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestOverflowText: what happens at an overflow is said, or that it is undecided, and why.
func TestOverflowText(t *testing.T) {
	src := check.Testdata(t, "counts")
	for constructor, want := range map[string]string{
		"NewInside": "with 2-bit words instead of int, no verdict: ",
		"NewStale":  "the verdict is about uint32 words that do not overflow. With 2-bit words and any number of passages, starvation freedom would fail.",
	} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}, NoCosts: true})
		require.NoError(t, err, constructor)
		var text bytes.Buffer
		require.NoError(t, check.Table(reports).WriteText(&text))
		require.Contains(t, text.String(), want)
	}
}

// TestOverflowOfFields: a lock that takes its word apart is another lock where the word has few bits.
func TestOverflowOfFields(t *testing.T) {
	src := check.Testdata(t, "counts")
	for constructor, want := range map[string]string{
		"NewHalves":   "uses the number 65536, which a word of 2 bits does not hold",
		"NewQuarters": "uses the number 65280, which a word of 2 bits does not hold",
		"NewVersion":  "uses the number 2147483648, which a word of 2 bits does not hold",
		"NewBytes":    "converts a uint32 to a uint8",
	} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}, NoCosts: true})
		require.NoError(t, err, constructor)
		require.Contains(t, reports[0].Overflow.Omitted, want, constructor)
		require.NotContains(t, reports[0].Sentence(), "violated", constructor)
	}
}

// TestOverflowBesideUndecided: what a lock loses when its words wrap around is said beside the verdict,
// and is no part of it.
func TestOverflowBesideUndecided(t *testing.T) {
	t.Parallel()
	reports, err := check.Testdata(t, "counts").Lock(t.Context(), "NewListed", check.Options{N: []int{2}, NoCosts: true})
	require.NoError(t, err)
	r := reports[0]
	require.Equal(t, check.Violated, r.Overflow.MutualExclusion)
	require.Len(t, r.Undecided, 1)
	require.Regexp(t, `^holds within 2 passages only: number\[\d\] does more than count \(check/testdata/counts/bakery.go:\d+\); passages after the 2nd were not explored$`, r.Undecided[0].Why)
}
