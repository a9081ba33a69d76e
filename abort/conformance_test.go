package abort

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestCLHTryConformance(t *testing.T) { locktest.Run(t, CLHTry(shm.Padded)) }

func TestOSQConformance(t *testing.T) { locktest.Run(t, OSQ(shm.Padded)) }

func TestMCSTryConformance(t *testing.T) { locktest.Run(t, MCSTry(shm.Padded)) }

func TestCLHNBConformance(t *testing.T) { locktest.Run(t, CLHNB(shm.Padded, shm.Sequential)) }

func TestMCSNBConformance(t *testing.T) { locktest.Run(t, MCSNB(shm.Padded, shm.Sequential)) }
