package dijkstra

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestDijkstraConformance(t *testing.T) { conform.Run(t, Dijkstra(shm.Padded, shm.Sequential)) }

func TestKnuthConformance(t *testing.T) { conform.Run(t, Knuth(shm.Padded, shm.Sequential)) }

func TestDeBruijnConformance(t *testing.T) { conform.Run(t, DeBruijn(shm.Padded, shm.Sequential)) }

func TestEisenbergMcGuireConformance(t *testing.T) {
	conform.Run(t, EisenbergMcGuire(shm.Padded, shm.Sequential))
}
