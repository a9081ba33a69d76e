package explore

import "slices"

// Path returns the actors of a shortest execution from the initial state to
// the state goal, which must be one that can be reached.
func Path(sys System, goal []uint64) []int {
	t := newTable(sys.Words())
	actors := sys.Actors()
	out := make([]uint64, actors*t.words)
	room := func() {
		if need := int(t.count.Load()) + actors + 1; !t.fits(need) {
			t.grow(need)
		}
	}
	room()
	sys.Initial(out[:t.words])
	t.insert(out[:t.words])
	type step struct {
		from  uint32
		actor uint8
	}
	came := []step{{None, 0}}
	for id := uint32(0); id < t.count.Load(); id++ {
		room()
		if same(t.state(id), goal) {
			var path []int
			for at := id; came[at].from != None; at = came[at].from {
				path = append(path, int(came[at].actor))
			}
			slices.Reverse(path)
			return path
		}
		enabled, _ := sys.Expand(t.state(id), out)
		for a := range actors {
			if enabled>>a&1 == 0 {
				continue
			}
			if _, fresh := t.insert(out[a*t.words : (a+1)*t.words]); fresh {
				came = append(came, step{id, uint8(a)})
			}
		}
	}
	panic("explore: no path to a state that was reached")
}
