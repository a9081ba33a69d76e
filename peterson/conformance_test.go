package peterson

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestAsymmetricConformance(t *testing.T) { conform.Run(t, Asymmetric(shm.Packed, shm.Sequential)) }

func TestPriorityConformance(t *testing.T) { conform.Run(t, Priority(shm.Packed, shm.Sequential)) }

func TestPetersonConformance(t *testing.T) { conform.Run(t, Peterson(shm.Packed, shm.Sequential)) }

func TestFilterConformance(t *testing.T) { conform.Run(t, Filter(shm.Packed, shm.Sequential)) }

func TestKesselsConformance(t *testing.T) { conform.Run(t, Kessels(shm.Packed, shm.Sequential)) }

func TestPetersonFischerConformance(t *testing.T) { conform.Run(t, PetersonFischer(shm.Packed)) }

func TestTsayConformance(t *testing.T) { conform.Run(t, Tsay(shm.Packed, shm.Sequential)) }

func TestBlockWooConformance(t *testing.T) { conform.Run(t, BlockWoo(shm.Padded, shm.Sequential)) }

func TestAttiyaWelchConformance(t *testing.T) {
	conform.Run(t, AttiyaWelch(shm.Packed, shm.Sequential))
}

func TestAndersonConformance(t *testing.T) { conform.Run(t, Anderson(shm.Packed, shm.Sequential)) }
