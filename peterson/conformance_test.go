package peterson

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestAsymmetricConformance(t *testing.T) { locktest.Run(t, Asymmetric(shm.Packed, shm.Sequential)) }

func TestPriorityConformance(t *testing.T) { locktest.Run(t, Priority(shm.Packed, shm.Sequential)) }

func TestPetersonConformance(t *testing.T) { locktest.Run(t, Peterson(shm.Packed, shm.Sequential)) }

func TestFilterConformance(t *testing.T) { locktest.Run(t, Filter(shm.Packed, shm.Sequential)) }
