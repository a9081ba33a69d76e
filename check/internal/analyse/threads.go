package analyse

// threadBytes is what a process of a state of a component takes in threads.
const threadBytes = 6

// threads are sets of the processes of the states of a component: one set has those that are one process under different names.
// Each is in the set of its parent, by number. One that is its own parent stands for its set.
type threads []uint32

func newThreads(count int) threads {
	t := make(threads, count)
	for i := range t {
		t[i] = uint32(i)
	}
	return t
}

// of returns the one that stands for the set of another.
func (t threads) of(i uint32) uint32 {
	for t[i] != i {
		t[i] = t[t[i]]
		i = t[i]
	}
	return i
}

// join makes one set of those of two.
func (t threads) join(i, j int) { t[t.of(uint32(i))] = t.of(uint32(j)) }

// all reports whether every set has one that some holds for.
func (t threads) all(some []bool) bool {
	has := make([]bool, len(t))
	for i, is := range some {
		if is {
			has[t.of(uint32(i))] = true
		}
	}
	for i := range t {
		if !has[t.of(uint32(i))] {
			return false
		}
	}
	return true
}
