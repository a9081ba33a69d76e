package dijkstra

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestDijkstraConformance(t *testing.T) { locktest.Run(t, Dijkstra(shm.Padded, shm.Sequential)) }

func TestKnuthConformance(t *testing.T) { locktest.Run(t, Knuth(shm.Padded, shm.Sequential)) }

func TestDeBruijnConformance(t *testing.T) { locktest.Run(t, DeBruijn(shm.Padded, shm.Sequential)) }

func TestEisenbergMcGuireConformance(t *testing.T) {
	locktest.Run(t, EisenbergMcGuire(shm.Padded, shm.Sequential))
}
