package predict

import "slices"

// costs is a machine as the engine uses it.
type costs struct {
	cores, threads int
	order          []int
	levels         int // the distance of a core from itself
	coreLevel      int
	outer          []outer // levels outside the cores, from the outside in
	transfer       []Time  // by distance
	group          []int32
	groups         int
	localLevel     int
	inner          []int16 // by core, the innermost group outside the cores

	memory, upgrade, readOccupancy, farOccupancy   Time
	rmw, hit, store, gap, request, pause, spinExit Time
	policy                                         string
	oldest, ownStore, mergedStore                  int64 // chances in a million
	readsFirst, takes                              bool
	siblingWork, siblingPoll, invalidate           Time // thousandths
}

// outer is a level that has several groups of cores.
type outer struct {
	level int
	group []int16 // by core
}

// distance is the outermost level in which two cores differ.
func (c *costs) distance(a, b int32) int {
	if a == b {
		return c.levels
	}
	for i := range c.outer {
		if o := &c.outer[i]; o.group[a] != o.group[b] {
			return o.level
		}
	}
	return c.coreLevel
}

// occupancy is how long a read at a distance keeps the line.
func (c *costs) occupancy(distance, local int) Time {
	if distance > local {
		return c.readOccupancy
	}
	return c.farOccupancy
}

func (m *Machine) costs() (costs, error) {
	l, err := m.layout()
	if err != nil {
		return costs{}, err
	}
	c := costs{
		cores: l.cores, threads: l.threads, order: l.order,
		coreLevel: l.coreLevel(), group: make([]int32, l.cores), groups: 1,
		memory: NS(m.Memory), readOccupancy: NS(m.ReadOccupancy), farOccupancy: NS(m.FarReadOccupancy),
		rmw: NS(m.RMW), hit: NS(m.Hit), store: NS(m.Store), gap: NS(m.Gap), request: NS(m.Request), pause: NS(m.Pause), spinExit: NS(m.SpinExit),
		policy: m.Policy, oldest: int64(m.OldestChance * 1e6), ownStore: int64(m.OwnStoreChance * 1e6), mergedStore: int64(m.MergedStoreChance * 1e6),
		readsFirst: m.ReadsFirst, takes: m.ReadTakes,
		siblingWork: Time(m.SiblingWork*1000 + 0.5), siblingPoll: Time(m.SiblingPoll*1000 + 0.5),
		invalidate: Time(max(1, m.InvalidateFactor)*1000 + 0.5),
	}
	c.levels = len(l.levels)
	for _, level := range l.levels {
		c.transfer = append(c.transfer, NS(m.Transfer[level.Name]))
	}
	c.transfer = append(c.transfer, 0)
	c.upgrade = c.transfer[c.coreLevel]
	size := l.cores // of a group
	for i, level := range l.levels[:c.coreLevel] {
		size /= level.Count
		if level.Count == 1 {
			continue
		}
		o := outer{i, make([]int16, l.cores)}
		for core := range o.group {
			o.group[core] = int16(core / size)
		}
		c.outer = append(c.outer, o)
	}
	c.inner = make([]int16, l.cores)
	if n := len(c.outer); n > 0 {
		c.inner = c.outer[n-1].group
	}
	if m.ReadsLocal != "" {
		c.localLevel = 0
		for l.levels[c.localLevel].Name != m.ReadsLocal {
			c.localLevel++
		}
		var seen [][]int
		for core := range l.cores {
			path := l.places[core*l.threads].path[:c.localLevel+1]
			g := slices.IndexFunc(seen, func(p []int) bool { return slices.Equal(p, path) })
			if g < 0 {
				g = len(seen)
				seen = append(seen, path)
			}
			c.group[core] = int32(g)
		}
		c.groups = len(seen)
	}
	return c, nil
}

// fault is a mistake in the protocol, for the tests of the tests.
type fault uint8

const (
	noFault fault = iota
	keepsSharers
	readLeavesOwner
	writeOvertakes
	rmwOvertakes
	losesWakeUps
	faults
)
