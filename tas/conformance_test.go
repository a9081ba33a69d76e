package tas

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestTASConformance(t *testing.T) { conform.Run(t, TAS(shm.Sequential)) }

func TestTTASConformance(t *testing.T) { conform.Run(t, TTAS(shm.Sequential)) }

func TestBackoffConformance(t *testing.T) { conform.Run(t, Backoff(shm.Sequential)) }
