package peterson

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestAsymmetricConformance(t *testing.T) { locktest.Run(t, Asymmetric(shm.Packed)) }

func TestPriorityConformance(t *testing.T) { locktest.Run(t, Priority(shm.Packed)) }

func TestPetersonConformance(t *testing.T) { locktest.Run(t, Peterson(shm.Packed)) }

func TestFilterConformance(t *testing.T) { locktest.Run(t, Filter(shm.Packed)) }
