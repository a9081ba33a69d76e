package locktest_test

import (
	"testing"

	"shmbench/locks/queue"
	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/tas"
	"shmbench/tournament"
)

// TestCorrect: no correct lock is accused. The whole catalog has its own
// test; here is one lock of each sort of claims.
func TestCorrect(t *testing.T) {
	for _, a := range []shm.Algorithm{tas.TAS(shm.Sequential), tournament.Peterson(shm.Packed, shm.Sequential), queue.MCS(shm.Packed, shm.Sequential)} {
		t.Run(a.Name, func(t *testing.T) { locktest.Run(t, a) })
	}
}
