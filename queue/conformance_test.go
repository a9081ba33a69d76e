package queue

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestTicketConformance(t *testing.T) { locktest.Run(t, Ticket(shm.Packed)) }

func TestAndersonConformance(t *testing.T) { locktest.Run(t, Anderson(shm.Padded)) }

func TestMCSConformance(t *testing.T) { locktest.Run(t, MCS(shm.Packed)) }

func TestCLHConformance(t *testing.T) { locktest.Run(t, CLH(shm.Padded)) }
