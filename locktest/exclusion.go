package locktest

import (
	"math/rand/v2"
	"runtime"

	"shmbench/locktest/oracle"
)

// reuse makes passages one after another: each process in turn, several times
// in a row, and with another goroutine for the exit section than for the
// entry section.
func reuse(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	c.start(0, func(p *process) error {
		for round := range 3 {
			for _, id := range participants(n) {
				p.id = id
				for range round + 1 {
					c.lockFor(p)
					if round%2 == 1 {
						elsewhere(func() { c.unlockFor(p) })
					} else {
						c.unlockFor(p)
					}
				}
			}
		}
		return nil
	})
	return c.join(true)
}

// elsewhere runs f on another goroutine and waits for it; if f panics, so does
// elsewhere.
func elsewhere(f func()) {
	panicked := make(chan any)
	go func() {
		defer func() { panicked <- recover() }()
		f()
	}()
	if v := <-panicked; v != nil {
		panic(v)
	}
}

// most is the most processes that take part at once; of more, some stay in
// their remainder section.
const most = 8

// participants returns up to most ids: the first, the last, and some spread
// between.
func participants(n int) []int {
	if n <= most {
		return everybody(n)
	}
	ids := make([]int, most)
	for i := range ids {
		ids[i] = i * (n - 1) / (most - 1)
	}
	return ids
}

func everybody(n int) []int {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i
	}
	return ids
}

func exclusion(s *suite, n int) error { return exclude(s, n, participants(n)) }

// exclusionOneProcessor is exclusion while only one goroutine runs at a time.
func exclusionOneProcessor(s *suite, n int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	return exclude(s, n, everybody(n))
}

// exclusionCrowded is exclusion with at least six times as many goroutines as
// there are processors.
func exclusionCrowded(s *suite, n int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(2, runtime.GOMAXPROCS(0))))
	return exclude(s, n, everybody(n))
}

// exclude lets the processes make passages at once through a critical section
// that shows overlaps.
func exclude(s *suite, n int, ids []int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	return c.exclude(ids, new(oracle.Section))
}

func (c *crew) exclude(ids []int, section *oracle.Section) error {
	each := max(2, c.s.o.Passages/len(ids))
	made := make([]uint64, len(ids))
	for i, id := range ids {
		rng := rand.New(rand.NewPCG(uint64(c.n), uint64(id)))
		c.start(id, func(p *process) error {
			for range each {
				if c.stop.Load() {
					return nil
				}
				c.lockFor(p)
				err := section.Pass(id, func() { linger(rng) })
				c.unlockFor(p)
				made[i]++
				if err != nil {
					return err
				}
				linger(rng)
			}
			return nil
		})
	}
	return c.total(section, made)
}

// total waits for the processes, and asks the section whether all passages that they
// have made left their mark.
func (c *crew) total(section *oracle.Section, made []uint64) error {
	if err := c.join(true); err != nil {
		return err
	}
	total := uint64(0)
	for _, m := range made {
		total += m
	}
	return section.Total(total)
}

// linger passes a little time, or yields, or neither.
func linger(rng *rand.Rand) {
	switch rng.IntN(4) {
	case 0:
		runtime.Gosched()
	case 1:
		for range rng.IntN(100) {
			nothing()
		}
	}
}

//go:noinline
func nothing() {}
