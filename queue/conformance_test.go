package queue

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestTicketConformance(t *testing.T) { locktest.Run(t, Ticket(shm.Packed, shm.Sequential)) }

func TestAndersonConformance(t *testing.T) { locktest.Run(t, Anderson(shm.Padded, shm.Sequential)) }

func TestMCSConformance(t *testing.T) { locktest.Run(t, MCS(shm.Packed, shm.Sequential)) }

func TestCLHConformance(t *testing.T) { locktest.Run(t, CLH(shm.Padded, shm.Sequential)) }

func TestTicketBackoffConformance(t *testing.T) {
	locktest.Run(t, TicketBackoff(shm.Packed, shm.Sequential))
}

func TestPartitionedConformance(t *testing.T) {
	locktest.Run(t, Partitioned(shm.Padded, shm.Sequential))
}

func TestTWAConformance(t *testing.T) { locktest.Run(t, TWA(shm.Padded, shm.Sequential)) }

func TestGraunkeThakkarConformance(t *testing.T) {
	locktest.Run(t, GraunkeThakkar(shm.Padded, shm.Sequential))
}

func TestGraunkeThakkarListConformance(t *testing.T) {
	locktest.Run(t, GraunkeThakkarList(shm.Padded, shm.Sequential))
}

func TestCLHStandardConformance(t *testing.T) {
	locktest.Run(t, CLHStandard(shm.Padded, shm.Sequential))
}

func TestMCSK42Conformance(t *testing.T) { locktest.Run(t, MCSK42(shm.Padded, shm.Sequential)) }

func TestMCSHConformance(t *testing.T) { locktest.Run(t, MCSH(shm.Padded, shm.Sequential)) }

func TestMCSSwapConformance(t *testing.T) { locktest.Run(t, MCSSwap(shm.Padded, shm.Sequential)) }

func TestHemlockConformance(t *testing.T) { locktest.Run(t, Hemlock(shm.Padded, shm.Sequential)) }

func TestReciprocatingConformance(t *testing.T) {
	locktest.Run(t, Reciprocating(shm.Padded, shm.Sequential))
}

func TestReciprocatingGatedConformance(t *testing.T) {
	locktest.Run(t, ReciprocatingGated(shm.Padded, shm.Sequential))
}

func TestFissileConformance(t *testing.T) { locktest.Run(t, Fissile(shm.Padded, shm.Sequential)) }

func TestQSpinConformance(t *testing.T) { locktest.Run(t, QSpin(shm.Padded)) }

func TestMalthusianConformance(t *testing.T) { locktest.Run(t, Malthusian(shm.Padded, shm.Sequential)) }

func TestHapaxConformance(t *testing.T) { locktest.Run(t, Hapax(shm.Padded, shm.Sequential)) }

func TestShflConformance(t *testing.T) { locktest.Run(t, Shfl(shm.Padded)) }

func TestHapaxVWConformance(t *testing.T) { locktest.Run(t, HapaxVW(shm.Padded, shm.Sequential)) }
