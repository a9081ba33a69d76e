package burns

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestBurnsLynchConformance(t *testing.T) { locktest.Run(t, BurnsLynch(shm.Padded, shm.Sequential)) }

func TestBurnsConformance(t *testing.T) { locktest.Run(t, Burns(shm.Padded, shm.Sequential)) }

func TestOneBitConformance(t *testing.T) { locktest.Run(t, OneBit(shm.Padded, shm.Sequential)) }

func TestThreeBitConformance(t *testing.T) { locktest.Run(t, ThreeBit(shm.Padded, shm.Sequential)) }

func TestRoundRobinConformance(t *testing.T) { locktest.Run(t, RoundRobin(shm.Padded, shm.Sequential)) }
