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
