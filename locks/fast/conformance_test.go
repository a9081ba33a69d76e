package fast

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestLamportConformance(t *testing.T) { conform.Run(t, Lamport(shm.Padded, shm.Sequential)) }

func TestTriangleConformance(t *testing.T) { conform.Run(t, Triangle(shm.Padded, shm.Sequential)) }

// The Trapezium of two paths keeps all that Triangle has; with its 8.3 million states
// of three processes it is not in the catalog.
func TestTrapeziumConformance(t *testing.T) {
	for k := 2; k <= 3; k++ {
		spec := Triangle(shm.Padded, shm.Sequential)
		spec.Name = "fast/trapezium"
		spec.New = func(n int) (shm.Mutex, error) { return NewTriangle(n, k, petersons, shm.Padded, shm.Sequential) }
		conform.Run(t, spec)
	}
}

func TestYangAndersonConformance(t *testing.T) {
	conform.Run(t, YangAnderson(shm.Padded, shm.Sequential))
}

func TestAndersonKimConformance(t *testing.T) { conform.Run(t, AndersonKim(shm.Padded)) }
