package szymanski

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestFlagConformance(t *testing.T)   { conform.Run(t, Flag(shm.Padded, shm.Sequential)) }
func TestBuhrConformance(t *testing.T)   { conform.Run(t, Buhr(shm.Padded, shm.Sequential)) }
func TestBitsConformance(t *testing.T)   { conform.Run(t, Bits(shm.Padded, shm.Sequential)) }
func TestMendedConformance(t *testing.T) { conform.Run(t, Mended(shm.Padded, shm.Sequential)) }
