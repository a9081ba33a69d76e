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

func TestKesselsConformance(t *testing.T) { locktest.Run(t, Kessels(shm.Packed, shm.Sequential)) }

func TestPetersonFischerConformance(t *testing.T) { locktest.Run(t, PetersonFischer(shm.Packed)) }

func TestTsayConformance(t *testing.T) { locktest.Run(t, Tsay(shm.Packed, shm.Sequential)) }

func TestBlockWooConformance(t *testing.T) { locktest.Run(t, BlockWoo(shm.Padded, shm.Sequential)) }

func TestAttiyaWelchConformance(t *testing.T) {
	locktest.Run(t, AttiyaWelch(shm.Packed, shm.Sequential))
}

func TestAndersonConformance(t *testing.T) { locktest.Run(t, Anderson(shm.Packed, shm.Sequential)) }
