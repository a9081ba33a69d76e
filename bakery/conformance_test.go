package bakery

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestLamportConformance(t *testing.T) { conform.Run(t, Lamport(shm.Padded, shm.Sequential)) }

func TestHehnerShyamasundarConformance(t *testing.T) { conform.Run(t, HehnerShyamasundar(shm.Padded)) }

func TestBlackWhiteConformance(t *testing.T) { conform.Run(t, BlackWhite(shm.Padded, shm.Sequential)) }

func TestBoulangerieConformance(t *testing.T) {
	conform.Run(t, Boulangerie(shm.Padded, shm.Sequential))
}

func TestBoundedConformance(t *testing.T) { conform.Run(t, Bounded(shm.Padded, shm.Sequential)) }
