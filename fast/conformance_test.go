package fast

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestLamportConformance(t *testing.T) { locktest.Run(t, Lamport(shm.Padded, shm.Sequential)) }
