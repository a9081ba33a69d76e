package rw

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestReaderPrefConformance(t *testing.T) { conform.Run(t, ReaderPref) }

func TestWriterPrefConformance(t *testing.T) {
	conform.Run(t, WriterPref(shm.Padded, shm.Sequential))
}

func TestTaskFairConformance(t *testing.T) { conform.Run(t, TaskFair(shm.Padded)) }

func TestPhaseFairConformance(t *testing.T) {
	conform.Run(t, PhaseFair(shm.Padded, shm.Sequential))
}

func TestBravoConformance(t *testing.T) { conform.Run(t, Bravo(shm.Padded, shm.Sequential)) }

func TestBravoReaderPrefConformance(t *testing.T) {
	conform.Run(t, BravoReaderPref(shm.Padded, shm.Sequential))
}

func TestPhaseFairQueueConformance(t *testing.T) {
	conform.Run(t, PhaseFairQueue(shm.Padded, shm.Sequential))
}

func TestQRWLockConformance(t *testing.T) { conform.Run(t, QRWLock(shm.Padded)) }

func TestReaderPrefQueueConformance(t *testing.T) {
	conform.Run(t, ReaderPrefQueue(shm.Padded, shm.Sequential))
}

func TestKSUHConformance(t *testing.T) { conform.Run(t, KSUH(shm.Padded)) }

func TestCRWNPConformance(t *testing.T) { conform.Run(t, CRWNP(shm.Padded, shm.Sequential)) }

func TestCRWRPConformance(t *testing.T) { conform.Run(t, CRWRP(shm.Padded, shm.Sequential)) }

func TestCRWWPConformance(t *testing.T) { conform.Run(t, CRWWP(shm.Padded, shm.Sequential)) }
