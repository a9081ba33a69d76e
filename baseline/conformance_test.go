package baseline

import (
	"testing"

	"shmbench/locktest"
)

func TestMutexConformance(t *testing.T) { locktest.Run(t, Mutex) }

func TestChannelConformance(t *testing.T) { locktest.Run(t, Channel) }

func TestRWMutexConformance(t *testing.T) { locktest.Run(t, RWMutex) }
