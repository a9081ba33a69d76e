package tournament

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestPriorityConformance(t *testing.T) { locktest.Run(t, Priority(shm.Packed)) }

func TestPetersonConformance(t *testing.T) { locktest.Run(t, Peterson(shm.Packed)) }
