package numa

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

var two = InTurn(2)

func TestCBOMCSConformance(t *testing.T) {
	locktest.Run(t, CBOMCS(two, Batch).Card(shm.Padded, shm.Sequential))
}

func TestCTKTTKTConformance(t *testing.T) {
	locktest.Run(t, CTKTTKT(two, Batch).Card(shm.Padded, shm.Sequential))
}

func TestCMCSMCSConformance(t *testing.T) {
	locktest.Run(t, CMCSMCS(two, Batch).Card(shm.Padded, shm.Sequential))
}
