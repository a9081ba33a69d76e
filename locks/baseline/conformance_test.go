package baseline

import (
	"testing"

	"shmbench/internal/testkit/conform"
)

func TestMutexConformance(t *testing.T) { conform.Run(t, Mutex) }

func TestChannelConformance(t *testing.T) { conform.Run(t, Channel) }

func TestRWMutexConformance(t *testing.T) { conform.Run(t, RWMutex) }
