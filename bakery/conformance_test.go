package bakery

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestLamportConformance(t *testing.T) { locktest.Run(t, Lamport(shm.Padded, shm.Sequential)) }

func TestHehnerShyamasundarConformance(t *testing.T) { locktest.Run(t, HehnerShyamasundar(shm.Padded)) }

func TestBlackWhiteConformance(t *testing.T) { locktest.Run(t, BlackWhite(shm.Padded, shm.Sequential)) }

func TestBoulangerieConformance(t *testing.T) {
	locktest.Run(t, Boulangerie(shm.Padded, shm.Sequential))
}

func TestBoundedConformance(t *testing.T) { locktest.Run(t, Bounded(shm.Padded, shm.Sequential)) }
