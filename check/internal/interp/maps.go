package interp

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Map is a map that New, or the initialization of a package, has made; the zero
// Map is nil. Processes only read maps, so that what is in them is no part of a
// state, and reading them is no step.
type Map struct{ ID int32 }

// dict is what is in a map, in the order in which it was put there.
type dict struct {
	keys, values []Value
	index        map[any]int
	lost         bool // code that is not interpreted may have changed it
}

func (d *dict) find(key Value) (int, bool) {
	i, ok := d.index[Identity(key)]
	return i, ok
}

func (d *dict) set(key, v Value) {
	if i, ok := d.find(key); ok {
		d.values[i] = v
		return
	}
	d.index[Identity(key)] = len(d.keys)
	d.keys, d.values = append(d.keys, key), append(d.values, v)
}

func (d *dict) remove(key Value) {
	i, ok := d.find(key)
	if !ok {
		return
	}
	d.keys, d.values = slices.Delete(d.keys, i, i+1), slices.Delete(d.values, i, i+1)
	clear(d.index)
	for i, k := range d.keys {
		d.index[Identity(k)] = i
	}
}

// known reports whether two of the values of a key that are not the same differ.
func known(key Value) bool {
	for _, v := range flat(key) {
		switch v := v.(type) {
		case Opaque, Forgotten:
			return false
		case Iface:
			if v.T != nil && (!types.Comparable(v.T) || !known(v.V)) {
				return false
			}
		}
	}
	return true
}

// updated returns the map that is about to be changed while the lock is built, nil
// if it is nil or not known, and notes that the change outlasts the lock.
func (r *run) updated(v Value) *dict {
	if r.pid >= 0 {
		r.refuse("writes to a map")
	}
	m, ok := v.(Map)
	if !ok {
		r.refuseAddress(v)
	}
	if m.ID == 0 {
		return nil
	}
	r.writes++
	r.m.mem.outlives = r.m.mem.outlives || r.m.mem.objsBefore > 0 && m.ID <= r.m.mem.mapsBefore
	return r.m.mem.at(m)
}

func (r *run) mapUpdate(fr *frame, in *ssa.MapUpdate) {
	d := r.updated(r.get(fr, in.Map))
	if r.get(fr, in.Map) == (Map{}) {
		r.fail("assignment to an entry of a nil map")
	}
	if d == nil {
		return
	}
	if key := r.get(fr, in.Key); known(key) {
		d.set(key, r.get(fr, in.Value))
	} else {
		d.lost = true
	}
}

// delete removes a key from a map. If the key is not known, the map is not either.
func (r *run) delete(from, key Value) {
	d := r.updated(from)
	switch {
	case d == nil:
	case known(key):
		d.remove(key)
	default:
		d.lost = true
	}
}

func (r *run) lookup(fr *frame, in *ssa.Lookup) Value {
	key := r.get(fr, in.Index)
	m, ok := r.get(fr, in.X).(Map)
	if !ok {
		return r.opaque(r.get(fr, in.X))
	}
	r.needs(key)
	v, found := r.m.lay.zero(in.X.Type().Underlying().(*types.Map).Elem()), false
	if m.ID != 0 {
		d := r.m.mem.at(m)
		if d.lost || !known(key) {
			return r.unmodeled("reads a map that is not fully known")
		}
		var i int
		if i, found = d.find(key); found {
			v = d.values[i]
		}
	}
	if in.CommaOk {
		return append(append(Agg{}, flat(v)...), boolean(found))
	}
	return v
}
