package predict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMachineFile(t *testing.T) {
	m := machine("sockets=2,cores=2,threads=2")
	var b bytes.Buffer
	require.NoError(t, m.Write(&b))
	again, err := Read(&b)
	require.NoError(t, err)
	require.Equal(t, m, again)
}

// TestBadMachines: a bad file is answered with one line that says what is wrong.
func TestBadMachines(t *testing.T) {
	for _, c := range []struct {
		bad  func(m *Machine)
		want string
	}{
		{func(m *Machine) { m.Name = "" }, "a machine has a name"},
		{func(m *Machine) { m.Topology = "sockets=2,cores=0" }, `"cores=0" is not a level`},
		{func(m *Machine) { m.Topology = "sockets=2" }, "names no cores"},
		{func(m *Machine) { m.Topology = "threads=2" }, "names no cores"},
		{func(m *Machine) { m.Topology = "cores=2,sockets=2" }, "sockets come outside cores"},
		{func(m *Machine) { m.Topology = "boards=2,cores=2" }, `no level "boards"`},
		{func(m *Machine) { m.Topology = "sockets=2,cores=1024" }, "at most 1024"},
		{func(m *Machine) { m.Transfer["cores"] = -1 }, "transfer_ns of cores is -1"},
		{func(m *Machine) { delete(m.Transfer, "sockets") }, "transfer_ns has no time for sockets"},
		{func(m *Machine) { m.Transfer["moon"] = 5 }, `no distance "moon"`},
		{func(m *Machine) { m.RMW = -3 }, "rmw_ns is -3"},
		{func(m *Machine) { m.Gap = 0 }, "time stands still"},
		{func(m *Machine) { m.Policy = "kind" }, `no policy "kind"`},
		{func(m *Machine) { m.OldestChance = 2 }, "a chance is 0 to 1"},
		{func(m *Machine) { m.SiblingWork = 0.5 }, "1 to 100"},
		{func(m *Machine) { m.ReadsLocal = "dies" }, `no level "dies"`},
		{func(m *Machine) { m.Order = "backwards" }, "write smt-first, cores-first"},
		{func(m *Machine) { m.Order = "0,1,2" }, "has 3 hardware threads, and the topology 8"},
		{func(m *Machine) { m.Order = "0,1,2,3,4,5,6,9" }, "no hardware thread 9"},
		{func(m *Machine) { m.Order = "0,1,2,3,4,5,6,6" }, "6 is there twice"},
	} {
		m := machine("sockets=2,cores=2,threads=2")
		c.bad(m)
		var b bytes.Buffer
		require.NoError(t, m.Write(&b))
		_, err := Read(&b)
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
	}
	for text, want := range map[string]string{
		"":                "this is no machine: it is empty",
		"{":               "this is no machine: it ends in the middle of a value",
		`{"nam": "x"}`:    `unknown field "nam"`,
		`{"name": 5}`:     "cannot unmarshal number",
		`{"rmw_ns": "x"}`: "cannot unmarshal string",
		`{"name":"x"} {}`: "something behind its end",
	} {
		_, err := Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestOrders(t *testing.T) {
	for order, want := range map[string][]int{
		SMTFirst: {0, 1, 2, 3}, CoresFirst: {0, 2, 1, 3}, "3,2,1,0": {3, 2, 1, 0},
	} {
		m := machine("cores=2,threads=2")
		m.Order = order
		l, err := m.layout()
		require.NoError(t, err)
		require.Equal(t, want, l.order)
	}
}

// TestAssumedMachine: a machine that nothing was measured on has the assumed times of each distance.
func TestAssumedMachine(t *testing.T) {
	m, err := New("x", "sockets=2,dies=2,complexes=2,cores=2,threads=2", "", "amd-zen2")
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"cores": 30, "complexes": 60, "dies": 80, "sockets": 100}, m.Transfer)
	require.Equal(t, "complexes", m.ReadsLocal)
	require.Equal(t, []float64{4, 3, 12}, []float64{m.FarReadOccupancy, m.InvalidateFactor, m.ReadOccupancy})
	m, err = New("x", "sockets=1,cores=4", "", "")
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"cores": 30}, m.Transfer)
	require.Empty(t, m.ReadsLocal)
}
