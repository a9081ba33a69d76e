package dekker

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestDekkerConformance(t *testing.T) { locktest.Run(t, Dekker(shm.Packed, shm.Sequential)) }
