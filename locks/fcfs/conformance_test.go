package fcfs

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestLycklamaHadzilacosConformance(t *testing.T) {
	conform.Run(t, LycklamaHadzilacos(shm.Padded))
}

func TestLycklamaBuhrConformance(t *testing.T) {
	conform.Run(t, LycklamaBuhr(shm.Padded, shm.Sequential))
}

func TestHesselink13Conformance(t *testing.T) { conform.Run(t, Hesselink13(shm.Padded)) }

func TestHesselink15Conformance(t *testing.T) {
	conform.Run(t, Hesselink15(shm.Padded, shm.Sequential))
}

func TestHesselink15ExitConformance(t *testing.T) {
	conform.Run(t, Hesselink15Exit(shm.Padded, shm.Sequential))
}

func TestHesselink24Conformance(t *testing.T) {
	conform.Run(t, Hesselink24(shm.Padded, shm.Sequential))
}

func TestHesselink24TASConformance(t *testing.T) {
	conform.Run(t, Hesselink24TAS(shm.Padded, shm.Sequential))
}

func TestAravindF3Conformance(t *testing.T) { conform.Run(t, AravindF3(shm.Padded, shm.Sequential)) }

func TestAravindF4Conformance(t *testing.T) { conform.Run(t, AravindF4(shm.Padded, shm.Sequential)) }

func TestAravindBLRUConformance(t *testing.T) {
	conform.Run(t, AravindBLRU(shm.Padded, shm.Sequential))
}

func TestAravindBLRUAltConformance(t *testing.T) {
	conform.Run(t, AravindBLRUAlt(shm.Padded, shm.Sequential))
}
