package burns

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestBurnsLynchConformance(t *testing.T) { conform.Run(t, BurnsLynch(shm.Padded, shm.Sequential)) }

func TestBurnsConformance(t *testing.T) { conform.Run(t, Burns(shm.Padded, shm.Sequential)) }

func TestOneBitConformance(t *testing.T) { conform.Run(t, OneBit(shm.Padded, shm.Sequential)) }

func TestThreeBitConformance(t *testing.T) { conform.Run(t, ThreeBit(shm.Padded, shm.Sequential)) }

func TestRoundRobinConformance(t *testing.T) { conform.Run(t, RoundRobin(shm.Padded, shm.Sequential)) }
