package tournament

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestPriorityConformance(t *testing.T) { locktest.Run(t, Priority(shm.Packed, shm.Sequential)) }

func TestPetersonConformance(t *testing.T) { locktest.Run(t, Peterson(shm.Packed, shm.Sequential)) }

func TestPetersonBuhrConformance(t *testing.T) {
	locktest.Run(t, PetersonBuhr(shm.Packed, shm.Sequential))
}
