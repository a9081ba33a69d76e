package tas

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestTASConformance(t *testing.T) { locktest.Run(t, TAS(shm.Sequential)) }

func TestTTASConformance(t *testing.T) { locktest.Run(t, TTAS(shm.Sequential)) }

func TestBackoffConformance(t *testing.T) { locktest.Run(t, Backoff(shm.Sequential)) }
