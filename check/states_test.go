package check_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestStatesFile: the numbers of states in results/states.tsv for two processes, and for three
// where they are few, are those of today's checker.
func TestStatesFile(t *testing.T) {
	file, err := os.Open("../results/states.tsv")
	require.NoError(t, err)
	defer file.Close()
	table := csv.NewReader(file)
	table.Comma, table.Comment = '\t', '#'
	rows, err := table.ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"lock", "passages", "atomic 2", "atomic 3"}, rows[0][:4])
	compared := 0
	some := slices.DeleteFunc(rows[1:], func(row []string) bool { return !check.Affordable(row[0]) })
	for _, row := range sample.Of(t, some, func(row []string) string { return row[0] }, 40) {
		a, err := catalog.Get(row[0])
		require.NoError(t, err)
		passages, _ := strconv.Atoi(row[1]) // 0 if any number
		for at, n := range map[int]int{2: 2, 3: 3} {
			want, err := strconv.Atoi(row[at])
			if err != nil || want > 10_000 {
				continue
			}
			for _, r := range reportsOf(t, check.Options{N: []int{n}, Passages: passages, NoCosts: true}, []shm.Algorithm{a}...) {
				assert.Equal(t, want, r.States, "%s, n = %d", row[0], n)
				compared++
			}
		}
	}
	require.Positive(t, compared)
}
