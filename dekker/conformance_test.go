package dekker

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestDekkerConformance(t *testing.T) { locktest.Run(t, Dekker(shm.Packed, shm.Sequential)) }

func TestRWSafeConformance(t *testing.T) { locktest.Run(t, RWSafe(shm.Packed, shm.Sequential)) }

func TestRWSafeBConformance(t *testing.T) { locktest.Run(t, RWSafeB(shm.Packed, shm.Sequential)) }

func TestDoranThomasConformance(t *testing.T) {
	locktest.Run(t, DoranThomas(shm.Packed, shm.Sequential))
}
