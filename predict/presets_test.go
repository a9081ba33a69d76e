package predict

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every preset says where it comes from and what is assumed, and has the name of its file.
func TestPresets(t *testing.T) {
	all, err := Presets()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 3)
	for _, m := range all {
		_, err := os.Stat(filepath.Join("machines", m.Name+".json"))
		require.NoError(t, err)
		require.NotEmpty(t, m.Source, m.Name)
		accounted(t, m)
	}
}

// accounted checks that it is known of every time of a machine where it comes from.
func accounted(t *testing.T, m *Machine) {
	t.Helper()
	for name, ns := range m.times() {
		from := slices.Contains(m.Assumed, name) || slices.Contains(m.Fitted, name) || slices.Contains(m.Taken, name)
		if name == "pause_ns" {
			from = from || strings.Contains(m.Source, "pause_ns: ")
		}
		require.True(t, ns == 0 || from, "%s: %s is not assumed, measured or fitted", m.Name, name)
	}
}

// A measured machine says what was measured of it, and answers as fast as the real one.
func TestMeasured(t *testing.T) {
	m, err := New("here", "cores=2", CoresFirst, "amd-zen2")
	require.NoError(t, err)
	m.Measured(Costs{RMW: 6, Load: 0.5, Release: 0.7, Pause: 35, Answer: 90})
	require.NoError(t, m.Validate())
	accounted(t, m)
	require.Empty(t, m.Source)
	require.Equal(t, []string{"rmw_ns", "hit_ns", "store_ns", "pause_ns"}, m.Taken)
	require.Equal(t, []string{"transfer_ns.cores"}, m.Fitted)
	require.NotContains(t, m.Assumed, "transfer_ns")
	require.InDelta(t, 90, m.answer(), 1)
	var b bytes.Buffer
	require.NoError(t, m.WriteParameters(&b))
	require.Contains(t, b.String(), "\nmeasured by themselves: hit_ns 0.5, pause_ns 34, rmw_ns 5, store_ns 0.7\n")
}

// TestMeasuredGap: what three operations in a row take beyond their own times is the gap, and it
// counts for each of them. It is not measured unless all of its parts are, and never 0.
func TestMeasuredGap(t *testing.T) {
	measured := func(c Costs) *Machine {
		m, err := New("here", "cores=2", CoresFirst, "amd-zen2")
		require.NoError(t, err)
		m.Measured(c)
		require.NoError(t, m.Validate())
		accounted(t, m)
		return m
	}
	c := Costs{RMW: 2, Load: 0.5, Release: 0.5, Independent: 3.3, Dependent: 4.5}
	m := measured(c)
	require.InDelta(t, 0.3, m.Gap, 1e-9)
	require.InDelta(t, 1.7, m.RMW, 1e-9, "an operation and its gap take the measured time")
	require.Contains(t, m.Taken, "gap_ns")
	require.NotContains(t, m.Assumed, "gap_ns")
	c.Independent, c.Dependent = 2, 2.1
	require.InDelta(t, leastGap, measured(c).Gap, 1e-9, "the processor overlaps them")
	c.Dependent = 0
	m = measured(c)
	require.InDelta(t, 1, m.Gap, 1e-9)
	require.Contains(t, m.Assumed, "gap_ns")
}

func TestFind(t *testing.T) {
	m, err := Find("graviton3")
	require.NoError(t, err)
	require.Equal(t, 64, m.Processors())
	file := filepath.Join(t.TempDir(), "mine")
	f, err := os.Create(file)
	require.NoError(t, err)
	m.Name = "mine"
	require.NoError(t, m.Write(f))
	require.NoError(t, f.Close())
	again, err := Find(file)
	require.NoError(t, err)
	require.Equal(t, m, again)
	_, err = Find("graviton9")
	require.ErrorContains(t, err, `there is no machine "graviton9": name a file, or one of epyc-`)
	_, err = Find("mine.json")
	require.ErrorContains(t, err, "no such file")
}

// A process is in the groups of its hardware thread.
func TestNodes(t *testing.T) {
	m := &Machine{Topology: "sockets=2,dies=1,complexes=2,cores=2,threads=2", Order: CoresFirst}
	require.Equal(t, []int{0, 0}, m.Nodes(0))
	require.Equal(t, []int{0, 1}, m.Nodes(2))
	require.Equal(t, []int{1, 1}, m.Nodes(7))
	require.Equal(t, []int{0, 0}, m.Nodes(8), "the second thread of the first core")
	m.Order = SMTFirst
	require.Equal(t, []int{1, 0}, m.Nodes(8))
	require.Empty(t, (&Machine{Topology: "cores=8"}).Nodes(3))
}
