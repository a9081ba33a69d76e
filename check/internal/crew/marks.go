package crew

// Marks are rows of marks that workers set at the same time. Each worker has marks of
// its own.
type Marks [][][]bool

// NewMarks returns marks for some workers, with rows of the given sizes.
func NewMarks(workers int, sizes []int) Marks {
	all := make(Marks, workers)
	for w := range all {
		for _, size := range sizes {
			all[w] = append(all[w], make([]bool, size))
		}
	}
	return all
}

// Set sets a mark for a worker. It writes only where that changes something: what
// another worker writes may be in the same line of a cache.
func (m Marks) Set(worker, row int, at int32) {
	if mark := &m[worker][row][at]; !*mark {
		*mark = true
	}
}

// Union returns the marks that any worker has set.
func (m Marks) Union() [][]bool {
	all := m[0]
	for _, further := range m[1:] {
		for row, marks := range further {
			for at, set := range marks {
				all[row][at] = all[row][at] || set
			}
		}
	}
	return all
}
