package queue

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestTicketConformance(t *testing.T) { conform.Run(t, Ticket(shm.Packed, shm.Sequential)) }

func TestAndersonConformance(t *testing.T) { conform.Run(t, Anderson(shm.Padded, shm.Sequential)) }

func TestMCSConformance(t *testing.T) { conform.Run(t, MCS(shm.Packed, shm.Sequential)) }

func TestCLHConformance(t *testing.T) { conform.Run(t, CLH(shm.Padded, shm.Sequential)) }

func TestTicketBackoffConformance(t *testing.T) {
	conform.Run(t, TicketBackoff(shm.Packed, shm.Sequential))
}

func TestPartitionedConformance(t *testing.T) {
	conform.Run(t, Partitioned(shm.Padded, shm.Sequential))
}

func TestTWAConformance(t *testing.T) { conform.Run(t, TWA(shm.Padded, shm.Sequential)) }

func TestTWAIDConformance(t *testing.T) { conform.Run(t, TWAID(shm.Padded, shm.Sequential)) }

func TestGraunkeThakkarConformance(t *testing.T) {
	conform.Run(t, GraunkeThakkar(shm.Padded, shm.Sequential))
}

func TestGraunkeThakkarListConformance(t *testing.T) {
	conform.Run(t, GraunkeThakkarList(shm.Padded, shm.Sequential))
}

func TestCLHStandardConformance(t *testing.T) {
	conform.Run(t, CLHStandard(shm.Padded, shm.Sequential))
}

func TestMCSK42Conformance(t *testing.T) { conform.Run(t, MCSK42(shm.Padded, shm.Sequential)) }

func TestMCSHConformance(t *testing.T) { conform.Run(t, MCSH(shm.Padded, shm.Sequential)) }

func TestMCSSwapConformance(t *testing.T) { conform.Run(t, MCSSwap(shm.Padded, shm.Sequential)) }

func TestHemlockConformance(t *testing.T) { conform.Run(t, Hemlock(shm.Padded, shm.Sequential)) }

func TestReciprocatingConformance(t *testing.T) {
	conform.Run(t, Reciprocating(shm.Padded, shm.Sequential))
}

func TestReciprocatingGatedConformance(t *testing.T) {
	conform.Run(t, ReciprocatingGated(shm.Padded, shm.Sequential))
}

func TestFissileConformance(t *testing.T) { conform.Run(t, Fissile(shm.Padded, shm.Sequential)) }

func TestQSpinConformance(t *testing.T) { conform.Run(t, QSpin(shm.Padded)) }

func TestMalthusianConformance(t *testing.T) { conform.Run(t, Malthusian(shm.Padded, shm.Sequential)) }

func TestHapaxConformance(t *testing.T) { conform.Run(t, Hapax(shm.Padded, shm.Sequential)) }

func TestShflConformance(t *testing.T) { conform.Run(t, Shfl(shm.Padded)) }

func TestHapaxVWConformance(t *testing.T) { conform.Run(t, HapaxVW(shm.Padded, shm.Sequential)) }
