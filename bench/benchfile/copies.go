package benchfile

import (
	"fmt"
	"hash/maphash"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// samples is the results of a file in their order, with what tells a copy from a new sample:
// "cat A A" gives no more samples than A.
type samples struct {
	seed    maphash.Seed
	results []*benchfmt.Result
	keys    []uint64 // of the text of each line
	lines   []int    // the number of each line
	blocks  []int    // where a block begins: the results below a header
}

// add adds the result in a line.
func (s *samples) add(r *benchfmt.Result, l *lines) {
	if l.header || s.results == nil {
		l.header, s.blocks = false, append(s.blocks, len(s.results))
	}
	s.results = append(s.results, r)
	s.keys, s.lines = append(s.keys, maphash.String(s.seed, l.text)), append(s.lines, l.n)
}

// single returns the results without the blocks that repeat an earlier one, and a note about
// each of these. A file with one header, or none, is a block that may be repeated whole.
func (s *samples) single() (kept []*benchfmt.Result, notes []string) {
	n := len(s.results)
	if len(s.blocks) == 1 {
		for p := period(s.keys); s.blocks[len(s.blocks)-1]+p < n; {
			s.blocks = append(s.blocks, s.blocks[len(s.blocks)-1]+p)
		}
	}
	ends := append(slices.Clone(s.blocks[1:]), n)
	for i, from := range s.blocks {
		block := s.keys[from:ends[i]]
		first := slices.IndexFunc(s.blocks[:i], func(at int) bool {
			return at+len(block) <= from && slices.Equal(s.keys[at:at+len(block)], block)
		})
		if first < 0 || alike(block) {
			kept = append(kept, s.results[from:ends[i]]...)
			continue
		}
		at := s.blocks[first]
		notes = append(notes, fmt.Sprintf("lines %d to %d repeat lines %d to %d: each sample counts once",
			s.lines[from], s.lines[ends[i]-1], s.lines[at], s.lines[at+len(block)-1]))
	}
	return kept, notes
}

// period returns after how many keys all of them repeat, or their number if they do not.
func period(keys []uint64) int {
	n := len(keys)
	for p := 1; p <= n/2; p++ {
		if n%p == 0 && slices.Equal(keys[p:], keys[:n-p]) && !alike(keys[:p]) {
			return p
		}
	}
	return n
}

// alike reports whether all keys are the same, which samples of a coarse clock may be.
func alike(keys []uint64) bool {
	return !slices.ContainsFunc(keys, func(k uint64) bool { return k != keys[0] })
}
