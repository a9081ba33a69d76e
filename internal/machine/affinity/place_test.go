package affinity

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func cpusOf(places []Place) (cpus []int) {
	for _, p := range places {
		cpus = append(cpus, p.CPU)
	}
	return cpus
}

// Two packages of two cores of two threads, numbered as Linux often does: all
// first threads, then all second ones.
func machine() (places []Place) {
	for cpu := range 8 {
		places = append(places, Place{CPU: cpu, Core: cpu % 2, Package: cpu / 2 % 2})
	}
	return places
}

func TestOrders(t *testing.T) {
	places := machine()
	sort(places, ByCore)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7}, cpusOf(places))
	sort(places, ByThread)
	require.Equal(t, []int{0, 4, 1, 5, 2, 6, 3, 7}, cpusOf(places))

	// Threads of one core with numbers next to each other.
	places = []Place{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0}}
	sort(places, ByCore)
	require.Equal(t, []int{0, 2, 1, 3}, cpusOf(places))
	sort(places, ByThread)
	require.Equal(t, []int{0, 1, 2, 3}, cpusOf(places))
}

func TestBetween(t *testing.T) {
	require.Equal(t, "0 and 4, hardware threads of one core", Between(machine()[0], machine()[4]))
	require.Equal(t, "0 and 1, cores of one package", Between(machine()[0], machine()[1]))
	require.Equal(t, "0 and 2, cores of different packages", Between(machine()[0], machine()[2]))
}
