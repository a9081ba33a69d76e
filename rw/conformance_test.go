package rw

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestReaderPrefConformance(t *testing.T) { locktest.Run(t, ReaderPref) }

func TestWriterPrefConformance(t *testing.T) {
	locktest.Run(t, WriterPref(shm.Padded, shm.Sequential))
}

func TestTaskFairConformance(t *testing.T) { locktest.Run(t, TaskFair(shm.Padded)) }

func TestPhaseFairConformance(t *testing.T) {
	locktest.Run(t, PhaseFair(shm.Padded, shm.Sequential))
}

func TestBravoConformance(t *testing.T) { locktest.Run(t, Bravo(shm.Padded, shm.Sequential)) }

func TestBravoReaderPrefConformance(t *testing.T) {
	locktest.Run(t, BravoReaderPref(shm.Padded, shm.Sequential))
}

func TestPhaseFairQueueConformance(t *testing.T) {
	locktest.Run(t, PhaseFairQueue(shm.Padded, shm.Sequential))
}
