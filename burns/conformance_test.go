package burns

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestBurnsLynchConformance(t *testing.T) { locktest.Run(t, BurnsLynch(shm.Padded, shm.Sequential)) }
