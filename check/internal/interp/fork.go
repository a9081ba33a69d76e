package interp

import (
	"context"
	"maps"
	"slices"
)

// Fork returns a copy of a machine on which no lock has been built, as it is now:
// packages are initialised once, and each fork builds a lock of its own. It stops
// with ctx's error when ctx is done. A machine and its forks share what they work out
// of functions and types, and are to be used by one goroutine.
func (m *Machine) Fork(ctx context.Context) *Machine {
	f := *m
	f.ctx = ctx
	f.objs = slices.Clone(m.objs)
	for i := range f.objs {
		f.objs[i].cells = slices.Clone(m.objs[i].cells)
	}
	f.maps = slices.Clone(m.maps)
	for i, d := range f.maps {
		f.maps[i] = &dict{slices.Clone(d.keys), slices.Clone(d.values), maps.Clone(d.index), d.lost}
	}
	f.aliases = slices.Clone(m.aliases)
	f.globals, f.variable, f.inited, f.listed = maps.Clone(m.globals), maps.Clone(m.variable), maps.Clone(m.inited), maps.Clone(m.listed)
	f.cells, f.forgotten, f.matter = map[Ptr]*cell{}, map[Ptr]bool{}, map[Ptr]bool{}
	f.heap = heap{of: map[int32]int{}}
	return &f
}
