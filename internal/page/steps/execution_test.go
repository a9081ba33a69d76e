package steps

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIDs: the address of an execution names its lock and the execution, and no two have the same.
func TestIDs(t *testing.T) {
	var all List
	for _, e := range []*Execution{
		{Of: "queue/mcs", Title: "n = 2: it hangs"},
		{Of: "queue/mcs", Title: "n = 2: it hangs"},
		{Of: "queue/mcs", Title: "n = 2: it hangs"},
		{Of: "queue/mcs", Title: "n = 2: it hangs", ID: "hangs!"},
		{Of: "queue/clh", Title: "n = 2: it hangs"},
	} {
		all.Add(e)
	}
	var ids []string
	for _, e := range all {
		ids = append(ids, e.ID)
	}
	require.Equal(t, []string{"queue-mcs-n-2-it-hangs", "queue-mcs-n-2-it-hangs-2", "queue-mcs-n-2-it-hangs-3", "queue-mcs-hangs", "queue-clh-n-2-it-hangs"}, ids)
}

// TestCells: cells are in the order of their names, numbers in them by value, and steps set the same cells as before.
func TestCells(t *testing.T) {
	e := &Execution{Of: "a/lock", Title: "it"}
	ten, two, b := e.CellOf("b[10]", "x"), e.CellOf("b[2]", "y"), e.CellOf("b", "z")
	require.Equal(t, two, e.CellOf("b[2]", "another"))
	require.Equal(t, ten, e.CellOf("b[10]", "another"))
	e.Steps = []Step{{Sets: []Set{{Cell: ten, Value: "1"}, {Cell: two, Value: "2"}}}, {Sets: []Set{{Cell: b, Value: "3"}}}}
	new(List).Add(e)
	require.Equal(t, []Cell{{"b", "z"}, {"b[2]", "y"}, {"b[10]", "x"}}, e.Cells)
	require.Equal(t, []Step{{Sets: []Set{{Cell: 2, Value: "1"}, {Cell: 1, Value: "2"}}}, {Sets: []Set{{Cell: 0, Value: "3"}}}}, e.Steps)
}
