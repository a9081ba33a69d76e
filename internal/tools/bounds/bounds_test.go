package bounds

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/shm"
)

var update = flag.Bool("update", false, "write docs/bounds.md")

// TestBounds: each published bound agrees with ours, or the difference is explained, and no
// explanation is of a bound that agrees. The page is made of the table.
func TestBounds(t *testing.T) {
	all, err := All()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 25)
	for _, c := range all {
		require.NotEqual(t, c.Agrees, c.Explained != "", "%s, %s: published %s, ours %s", c.Lock, c.Of, c.Published, c.Ours)
		require.NotEmpty(t, c.In, c.Lock)
		require.NotEmpty(t, c.Ours, "%s has no formula", c.Lock)
	}
	const page = "../../../docs/bounds.md"
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(Page(all)), 0o644))
	}
	was, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, Page(all), string(was), "the page is made of the data: go -C internal/tools test ./bounds -update")
}

// TestWrongBounds: a bound that is not ours does not agree.
func TestWrongBounds(t *testing.T) {
	for _, b := range []Bound{
		{Lock: "queue/mcs", Of: Coherent, Published: shm.RMRUnbounded},
		{Lock: "queue/ticket", Of: Coherent, Published: "O(1)"},
		{Lock: "queue/ticket", Of: Coherent, Published: "O(log n)"},
		{Lock: "queue/clh", Of: Distributed, Published: "O(1)"},
		{Lock: "queue/mcs", Of: Bypass, Published: "n", At: shm.N.Of},
		{Lock: "queue/mcs", Of: Order, Published: "no"},
		{Lock: "queue/mcs", Of: Starvation, Published: "no"},
		{Lock: "queue/mcs", Of: Bits, Published: "2n+1", At: shm.Linear(2, 1).Of},
		{Lock: "burns/onebit", Of: Bits, Published: "n+1", At: shm.NPlus1.Of},
		{Lock: "burns/onebit", Of: Registers, Published: "2n", At: shm.Linear(2, 0).Of},
	} {
		a, err := catalog.Get(b.Lock)
		require.NoError(t, err)
		require.False(t, compare(a, b).Agrees, "%s, %s", b.Lock, b.Of)
	}
}

// TestOfTwoProcesses: the page shows the value of a formula for a lock of two processes.
func TestOfTwoProcesses(t *testing.T) {
	a, err := catalog.Get("peterson/kessels")
	require.NoError(t, err)
	require.Equal(t, "n-1 = 1 for n = 2, the only n > 1", compare(a, Bound{Of: Bypass, At: shm.Const(1).Of}).Ours)
	require.False(t, compare(a, Bound{Of: Bypass, At: shm.Const(2).Of}).Agrees)
}

// TestReferences: a published growth agrees with a formula that grows no faster. Unbounded
// agrees with unbounded only. A formula for a few n grows in no known way, and a lock with
// bounded references and no formula agrees with nothing.
func TestReferences(t *testing.T) {
	of := func(f shm.Formula) *shm.Formula { return &f }
	for _, c := range []struct {
		formula   *shm.Formula
		bounded   bool
		published string
		ours      string
		agrees    bool
	}{
		{nil, false, shm.RMRUnbounded, "unbounded", true},
		{nil, false, "O(n)", "unbounded", false},
		{nil, true, shm.RMRUnbounded, "", false},
		{nil, true, "O(1)", "", false},
		{of(shm.Const(3)), true, "O(1)", "3", true},
		{of(shm.Const(3)), true, "O(1) amortized", "3", true},
		{of(shm.Const(3)), true, "O(log n)", "3", true},
		{of(shm.Const(3)), false, "O(1)", "3", true},
		{of(shm.Const(3)), true, shm.RMRUnbounded, "3", false},
		{of(shm.Const(3)), true, "O(n!)", "3", false},
		{of(shm.Linear(1, 2)), true, "O(1)", "n+2", false},
		{of(shm.Linear(1, 2)), true, "Θ(n)", "n+2", true},
		{of(shm.Formula{}), false, shm.RMRUnbounded, "unbounded", true},
		{of(shm.Formula{}), false, "O(n)", "unbounded", false},
		{of(shm.Found(12, 20)), true, "O(1)", "12, 20 for n=2,3", true},
		{of(shm.Found(12, 20)), true, shm.RMRUnbounded, "12, 20 for n=2,3", false},
	} {
		a := shm.Algorithm{Claims: shm.Claims{References: shm.References{WriteBack: c.formula}}}
		ours, agrees := references(a, shm.WriteBack, c.bounded, c.published)
		require.Equal(t, c.ours, ours, "%+v", c)
		require.Equal(t, c.agrees, agrees, "%s, published %s", ours, c.published)
	}
}
