package steps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestColumns: each column has the number of its process.
func TestColumns(t *testing.T) {
	require.Empty(t, Columns(0, "process"))
	require.Equal(t, []string{"node 0", "node 1", "node 2"}, Columns(3, "node"))
}

// TestByNumber: numbers in names are compared by value, and the rest by its letters.
func TestByNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"a[2]", "a[10]", -1}, {"a[10]", "a[9]", 1}, {"a", "b", -1}, {"a[1][20]", "a[1][3]", 1}, {"b1", "a2", 1}, {"a7", "a7", 0}} {
		require.Equal(t, c.want, ByNumber(c.a, c.b), "%s and %s", c.a, c.b)
	}
}

// TestData: a page has the functions that its executions show, in order, and no others.
func TestData(t *testing.T) {
	l := List{{ID: "a", Code: []string{"f.go:10", "f.go:9", "g.go:1"}}, {ID: "b", Code: []string{"f.go:10"}}}
	code := l[0].Code
	d := l.Data(map[string]string{"f.go:9": "nine", "f.go:10": "ten", "h.go:1": "other"})
	require.Equal(t, map[string]string{"f.go:9": "nine", "f.go:10": "ten"}, d.Sources)
	require.Equal(t, []string{"f.go:9", "f.go:10"}, d.Executions[0].Code)
	require.Equal(t, []string{"f.go:10"}, d.Executions[1].Code)
	require.Equal(t, []string{"f.go:10", "f.go:9", "g.go:1"}, code, "the list of before is not changed")
	require.NotNil(t, List(nil).Data(nil).Executions, "an empty list, and not null")
}

// requireContains is require.Contains for a long page, which it does not print.
func requireContains(t *testing.T, page, part string) {
	t.Helper()
	require.True(t, strings.Contains(page, part), "the page lacks %s", part)
}

// TestWrite: a page of one lock has its name as the title, and one of several locks has a common title.
func TestWrite(t *testing.T) {
	for title, l := range map[string]List{
		"queue/mcs":  {{ID: "first", Of: "queue/mcs"}, {ID: "second", Of: "queue/mcs"}},
		"executions": {{ID: "first", Of: "queue/mcs"}, {ID: "second", Of: "queue/clh"}},
	} {
		var b strings.Builder
		require.NoError(t, l.Write(&b, nil))
		requireContains(t, b.String(), "<title>shmbench: "+title+", step by step</title>")
		requireContains(t, b.String(), `"id":"first"`)
		requireContains(t, b.String(), `"id":"second"`)
	}
	var diag strings.Builder
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, List{{ID: "first", Of: "queue/mcs"}}.WritePage(&diag, file))
	require.Contains(t, diag.String(), file+": a page of ")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	requireContains(t, string(text), "<title>shmbench: queue/mcs, step by step</title>")
}
