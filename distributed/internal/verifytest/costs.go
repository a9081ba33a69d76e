package verifytest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// systems are the systems whose costs are compared.
var systems = []distributed.Config{
	{Nodes: 2, Threads: 1},
	{Nodes: 3, Threads: 1},
	{Nodes: 7, Threads: 2},
	{Nodes: 7, Threads: 1, Parent: []distributed.ID{0, 0, 1, 2, 3, 4, 5}}, // a path
	{Nodes: 4, Threads: 1, Server: true},
}

// Costs evaluates the stated costs of the algorithms in a few systems. No least cost is
// negative or greater than the greatest cost. The values, and the requests that lead to the
// greatest number of messages, must be those of testdata/costs.tsv.
func Costs(t *testing.T, algorithms []distributed.Algorithm) {
	t.Helper()
	var found strings.Builder
	found.WriteString("algorithm\tcost\tnodes\tthreads\tsystem\tleast\tgreatest\n")
	for _, a := range algorithms {
		for _, cost := range []struct {
			name   string
			bounds func(c distributed.Config) (least, greatest float64)
		}{
			{"idle", a.Cost.Idle}, {"busy", a.Cost.Busy}, {"wait", a.Cost.Wait}, {"throughput", a.Cost.Throughput},
			{"lone", a.Cost.Lone}, {"share", a.Cost.Share}, {"sync", a.Cost.Sync}, {"bypass", a.Cost.Bypass},
		} {
			if cost.bounds == nil {
				continue
			}
			for _, c := range systems {
				kind := "plain"
				switch {
				case c.Server && !a.Server, c.Parent != nil && !a.Tree:
					continue
				case c.Server:
					kind = "server"
				case c.Parent != nil:
					kind = "path"
				}
				least, greatest := cost.bounds(c)
				require.True(t, 0 <= least && least <= greatest, "%s, %s of %d nodes: %v to %v", a.Name, cost.name, c.Nodes, least, greatest)
				fmt.Fprintf(&found, "%s\t%s\t%d\t%d\t%s\t%.4g\t%.4g\n", a.Name, cost.name, c.Nodes, c.Threads, kind, least, greatest)
			}
		}
		if a.Cost.Dearest != nil {
			for _, c := range []distributed.Config{{Nodes: 3}, {Nodes: 7}, {Nodes: 12}} {
				fmt.Fprintf(&found, "%s\trequests before the greatest\t%d\t1\tplain\t%v\t\n", a.Name, c.Nodes, a.Cost.Dearest(c))
			}
		}
	}
	same(t, "testdata/costs.tsv", found.String())
}
