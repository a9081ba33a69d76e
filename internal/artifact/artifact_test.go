package artifact

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/benchfile"
)

const verdicts = `{"results": [{"algorithm": "a/b", "n": 2, "states": 5, "mutual_exclusion": "%s", "deadlock_freedom": "holds", "bypass": -1, "seconds": {}}]}`

func claims(t *testing.T, exclusion string) []Claims {
	t.Helper()
	c, err := ReadClaims(fmt.Appendf(nil, verdicts, exclusion))
	require.NoError(t, err)
	return c
}

// TestClaims: a lock fails if it violates exclusion; another verdict is a difference.
func TestClaims(t *testing.T) {
	good, bad := claims(t, "holds"), claims(t, "violated")
	require.False(t, good[0].Failed())
	require.True(t, bad[0].Failed())
	require.NotContains(t, good[0], "seconds")
	require.Empty(t, Differences(good, good))
	require.Len(t, Differences(good, bad), 1)
	require.Equal(t, []string{"a/b, n = 2: there is no verdict any more"}, Differences(good, nil))
	_, err := ReadClaims([]byte("no"))
	require.Error(t, err)
}

func costs(t *testing.T, a, b string) []Cost {
	t.Helper()
	var text strings.Builder
	for lock, values := range map[string]string{"tas-tas": a, "queue-mcs": b} {
		for ns := range strings.FieldsSeq(values) {
			fmt.Fprintf(&text, "BenchmarkPassage/alg=%s/procs=2/cs=0/ncs=0 1 %s ns/op\n", lock, ns)
		}
	}
	f, err := benchfile.Read(strings.NewReader(text.String()), "run.txt")
	require.NoError(t, err)
	return Costs(f.Results)
}

// TestComparisons: an order is reversed only if the intervals lie apart both times.
func TestComparisons(t *testing.T) {
	low, high := "1 2 3 4 5 6 7 8 9", "11 12 13 14 15 16 17 18 19"
	first, reversed, alike := Compare(costs(t, low, high), "tas/tas"), Compare(costs(t, high, low), "tas/tas"), Compare(costs(t, low, low), "tas/tas")
	require.Len(t, first, 1)
	require.Equal(t, -1, first[0].Apart)
	require.InDelta(t, 1.0/3, first[0].Ratio, 1e-9)
	require.Less(t, first[0].P, 0.01)
	require.Len(t, Reversed(first, reversed), 1)
	require.Empty(t, Reversed(first, alike))
	require.Empty(t, Reversed(first, first))
}

// TestFiles: the SVG is XML, the PDF has its objects where its table says, and the tables escape names.
func TestFiles(t *testing.T) {
	all := costs(t, "1 2 3", "4 5 6")
	require.NoError(t, xml.Unmarshal(SVG(all), new(struct{})))
	pdf := PDF(all)
	require.Contains(t, string(pdf), "(tas/tas, 2 processes) Tj")
	for i, m := range regexp.MustCompile(`(?m)^(\d{10}) 00000 n`).FindAllSubmatch(pdf, -1) {
		at, err := strconv.Atoi(string(m[1]))
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(pdf[at:], fmt.Appendf(nil, "%d 0 obj", i+1)))
	}
	tables := Tables([]Claims{{"algorithm": "my_lock", "n": 2.0, "bypass": -1.0}}, nil)
	require.Contains(t, tables, `my\_lock & 2`)
	require.Contains(t, tables, "unbounded")
}
