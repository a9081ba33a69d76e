package abort

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestCLHTryConformance(t *testing.T) { conform.Run(t, CLHTry(shm.Padded)) }

func TestOSQConformance(t *testing.T) { conform.Run(t, OSQ(shm.Padded)) }

func TestMCSTryConformance(t *testing.T) { conform.Run(t, MCSTry(shm.Padded)) }

func TestCLHNBConformance(t *testing.T) { conform.Run(t, CLHNB(shm.Padded, shm.Sequential)) }

func TestMCSNBConformance(t *testing.T) { conform.Run(t, MCSNB(shm.Padded, shm.Sequential)) }

func TestJJCCConformance(t *testing.T) { conform.Run(t, JJCC(shm.Padded, shm.Sequential)) }

func TestTOLockConformance(t *testing.T) { conform.Run(t, TOLock) }

func TestCompositeConformance(t *testing.T) {
	conform.Run(t, Composite(shm.Padded, shm.Sequential))
}

func TestCompositeFastConformance(t *testing.T) {
	conform.Run(t, CompositeFast(shm.Padded, shm.Sequential))
}

func TestMCSTPConformance(t *testing.T) { conform.Run(t, MCSTP(shm.Padded)) }
