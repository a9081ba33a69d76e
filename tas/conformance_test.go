package tas

import (
	"testing"

	"shmbench/locktest"
)

func TestTASConformance(t *testing.T) { locktest.Run(t, TAS) }

func TestTTASConformance(t *testing.T) { locktest.Run(t, TTAS) }

func TestBackoffConformance(t *testing.T) { locktest.Run(t, Backoff) }
