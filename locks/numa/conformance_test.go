package numa

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

var two = InTurn(2)

func TestCBOMCSConformance(t *testing.T) {
	conform.Run(t, CBOMCS(two, Batch).Spec(shm.Padded, shm.Sequential))
}

func TestCTKTTKTConformance(t *testing.T) {
	conform.Run(t, CTKTTKT(two, Batch).Spec(shm.Padded, shm.Sequential))
}

func TestCMCSMCSConformance(t *testing.T) {
	conform.Run(t, CMCSMCS(two, Batch).Spec(shm.Padded, shm.Sequential))
}

func TestHMCSConformance(t *testing.T) {
	conform.Run(t, HMCS{two, Batch}.Spec(shm.Padded, shm.Sequential))
}

func TestHMCSOfThreeLevelsConformance(t *testing.T) {
	conform.Run(t, HMCS{InTurn(2, 2), 2}.Spec(shm.Padded, shm.Sequential))
}

func TestAHMCSConformance(t *testing.T) {
	conform.Run(t, AHMCS{two, AdaptiveBatch}.Spec(shm.Padded))
}

func TestAHMCSOnOneNodeConformance(t *testing.T) {
	conform.Run(t, AHMCS{InTurn(1), AdaptiveBatch}.Spec(shm.Padded))
}

func TestCNAConformance(t *testing.T) {
	conform.Run(t, CNA{two, Batch}.Spec(shm.Padded, shm.Sequential))
}

func TestFissileConformance(t *testing.T) {
	conform.Run(t, Fissile{CNA{two, Batch}, Patience}.Spec(shm.Padded, shm.Sequential))
}

func TestHCLHConformance(t *testing.T) {
	conform.Run(t, HCLH{two}.Spec(shm.Padded, shm.Sequential))
}

func TestHBOConformance(t *testing.T) { conform.Run(t, HBO{two}.Spec(shm.Sequential)) }

func TestHTicketConformance(t *testing.T) {
	conform.Run(t, HTicket{two, Batch}.Spec(shm.Padded, shm.Sequential))
}

func TestHSynchConformance(t *testing.T) { conform.Run(t, HSynchMutex{two, 2}.Spec()) }
