package dekker

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestDekkerConformance(t *testing.T) { conform.Run(t, Dekker(shm.Packed, shm.Sequential)) }

func TestRWSafeConformance(t *testing.T) { conform.Run(t, RWSafe(shm.Packed, shm.Sequential)) }

func TestRWSafeBConformance(t *testing.T) { conform.Run(t, RWSafeB(shm.Packed, shm.Sequential)) }

func TestDoranThomasConformance(t *testing.T) {
	conform.Run(t, DoranThomas(shm.Packed, shm.Sequential))
}
