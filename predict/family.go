package predict

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/internal/machine/topo"
)

// Family is a family of processors, which determines the length of the pause instruction.
type Family struct {
	Name   string
	Pause  float64
	Source string
}

const intelManual = "Intel 64 and IA-32 Architectures Optimization Reference Manual, section on the PAUSE latency of Skylake"

// Families are the families that have a name.
var Families = []Family{
	{"intel-before-skylake", 5, "some 10 cycles, " + intelManual},
	{"intel", 45, "as many as 140 cycles from Skylake on, " + intelManual},
	{"amd-zen", 1, "3 cycles, Fog, Instruction tables, Zen 1"},
	{"amd-zen2", 20, "65 cycles from Zen 2 on, Fog, Instruction tables"},
	{"arm", 1, "YIELD is a NOP on Neoverse, its software optimization guide"},
}

// FamilyNames returns the names of the families.
func FamilyNames() []string {
	var names []string
	for _, f := range Families {
		names = append(names, f.Name)
	}
	return names
}

// New returns a machine with a topology before anything is measured on it: all parameters are
// assumed. The family may be empty.
func New(name, topology, order, family string) (*Machine, error) {
	m := &Machine{
		Name: name, Topology: topology, Order: order,
		Transfer: map[string]float64{}, Memory: 80, ReadOccupancy: 12,
		RMW: 7, Hit: 1.5, Store: 1, Gap: 1, SpinExit: 10,
		Policy: ByGroup, ReadsFirst: true, ReadTakes: true, OwnStoreChance: 0.36,
		SiblingWork: 1.3, SiblingPoll: 1.27,
		Assumed: []string{"request_ns", "transfer_ns", "memory_ns", "read_occupancy_ns", "rmw_ns", "hit_ns", "store_ns", "gap_ns", "spin_exit_ns",
			"policy", "reads_first", "read_takes", "own_store_chance", "merged_store_chance", "sibling_work", "sibling_poll"},
	}
	if m.Order == "" {
		m.Order = SMTFirst
	}
	l, err := m.layout()
	if err != nil {
		return nil, err
	}
	ways := map[string]float64{"cores": 30, "complexes": 60, "dies": 80, "sockets": 100}
	for _, level := range l.levels {
		if level.Name != "threads" && level.Count > 1 {
			m.Transfer[level.Name] = ways[level.Name]
		}
	}
	if slices.ContainsFunc(l.levels, func(v topo.Level) bool { return v.Name == "complexes" }) {
		m.ReadsLocal, m.FarReadOccupancy, m.InvalidateFactor = "complexes", 4, 3
		m.Assumed = append(m.Assumed, "reads_local", "far_read_occupancy_ns", "invalidate_factor")
	}
	if family == "" {
		m.Pause = 5
		m.Assumed = append(m.Assumed, "pause_ns")
		return m, nil
	}
	i := slices.IndexFunc(Families, func(f Family) bool { return f.Name == family })
	if i < 0 {
		return nil, fmt.Errorf("there is no family %q of processors; there are %s", family, strings.Join(FamilyNames(), ", "))
	}
	m.Pause = Families[i].Pause
	m.Source = fmt.Sprintf("pause_ns: %s", Families[i].Source)
	return m, nil
}
