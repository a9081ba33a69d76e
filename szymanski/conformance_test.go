package szymanski

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestFlagConformance(t *testing.T)   { locktest.Run(t, Flag(shm.Padded, shm.Sequential)) }
func TestBuhrConformance(t *testing.T)   { locktest.Run(t, Buhr(shm.Padded, shm.Sequential)) }
func TestBitsConformance(t *testing.T)   { locktest.Run(t, Bits(shm.Padded, shm.Sequential)) }
func TestMendedConformance(t *testing.T) { locktest.Run(t, Mended(shm.Padded, shm.Sequential)) }
