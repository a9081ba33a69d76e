package shm

// Ranges are numbers of processes, as pairs of the first and the last one of a range.
type Ranges [][2]int

// Where returns the numbers of processes that an algorithm allows and that fulfill a
// condition.
func Where(a Algorithm, holds func(n int) bool) Ranges {
	all := Ranges{}
	for n := a.MinProcs; n <= a.MaxProcs; n++ {
		switch last := len(all) - 1; {
		case !holds(n):
		case last >= 0 && all[last][1] == n-1:
			all[last][1] = n
		default:
			all = append(all, [2]int{n, n})
		}
	}
	return all
}

// Has reports whether n is among the numbers.
func (r Ranges) Has(n int) bool {
	for _, pair := range r {
		if n >= pair[0] && n <= pair[1] {
			return true
		}
	}
	return false
}
