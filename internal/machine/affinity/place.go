package affinity

import (
	"cmp"
	"fmt"
	"slices"
)

// Place is where a processor is: a hardware thread of a core of a package.
type Place struct {
	CPU, Core, Package int
}

// Order is an order in which processes get processors.
type Order uint8

const (
	// ByCore gives each process a core of its own, while there are any, the
	// cores of one package first.
	ByCore Order = iota
	// ByThread fills the hardware threads of a core before the next core.
	ByThread
)

// Places returns the processors that this program may use, in the order o. If the platform
// does not tell, each processor counts as a core of its own.
func Places(o Order) ([]Place, error) {
	cpus, err := CPUs()
	if err != nil {
		return nil, err
	}
	places := make([]Place, len(cpus))
	for i, cpu := range cpus {
		places[i] = locate(cpu)
	}
	sort(places, o)
	return places, nil
}

func sort(places []Place, o Order) {
	slices.SortFunc(places, func(a, b Place) int {
		return cmp.Or(a.Package-b.Package, a.Core-b.Core, a.CPU-b.CPU)
	})
	if o == ByThread {
		return
	}
	thread := make(map[int]int, len(places)) // by CPU: how many threads of its core come before it
	for i := 1; i < len(places); i++ {
		if SameCore(places[i], places[i-1]) {
			thread[places[i].CPU] = thread[places[i-1].CPU] + 1
		}
	}
	slices.SortStableFunc(places, func(a, b Place) int { return thread[a.CPU] - thread[b.CPU] })
}

// SameCore reports whether two processors are hardware threads of one core.
func SameCore(p, q Place) bool { return p.Package == q.Package && p.Core == q.Core }

// Between says what two processors are to one another.
func Between(p, q Place) string {
	what := "cores of one package"
	switch {
	case SameCore(p, q):
		what = "hardware threads of one core"
	case p.Package != q.Package:
		what = "cores of different packages"
	}
	return fmt.Sprintf("%d and %d, %s", p.CPU, q.CPU, what)
}
