package check_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/sample"
)

// TestOverflowOmitted: where New does not work with narrow words, what happens at
// an overflow is said to be undecided, and why.
func TestOverflowOmitted(t *testing.T) {
	src := check.Testdata(t, "traps")
	for constructor, want := range map[string]string{
		"NewIntTicket": "with 2-bit words instead of int, no verdict: ",
		"NewTicket":    "the verdict is about uint32 words that do not overflow. With 2-bit words and any number of passages, mutual exclusion",
	} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}})
		require.NoError(t, err, constructor)
		r := reports[0]
		require.Equal(t, constructor == "NewIntTicket", r.Overflow.Omitted != "", constructor)
		require.Equal(t, constructor == "NewIntTicket", r.Overflow.MutualExclusion == check.Unknown, constructor)
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
		"NewSixty":    "uses the number 60, which a word of 2 bits does not hold",
	} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}, NoCosts: true})
		require.NoError(t, err, constructor)
		require.Contains(t, reports[0].Overflow.Omitted, want, constructor)
		require.NotContains(t, reports[0].Sentence(), "violated", constructor)
	}
}

// TestOverflowBesideUndecided: what is lost when words wrap around is no part of the verdict.
func TestOverflowBesideUndecided(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src, err := check.Open(t.Context(), "", "shmbench/bakery")
	require.NoError(t, err)
	reports, err := src.Lock(t.Context(), "NewLamport", check.Options{N: []int{2}})
	require.NoError(t, err)
	r := reports[0]
	require.Equal(t, check.Violated, r.Overflow.MutualExclusion)
	require.Len(t, r.Undecided, 1)
	require.Equal(t, "holds within 2 passages only (ever more values are written to number)", r.Undecided[0].Why)
}
