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

func TestCLHStandardConformance(t *testing.T) {
	locktest.Run(t, CLHStandard(shm.Padded, shm.Sequential))
}
