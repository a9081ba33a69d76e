package elevator

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestLinearConformance(t *testing.T)   { conform.Run(t, Linear(shm.Padded, shm.Sequential)) }
func TestLinearBLConformance(t *testing.T) { conform.Run(t, LinearBL(shm.Padded, shm.Sequential)) }
func TestLinearLFConformance(t *testing.T) { conform.Run(t, LinearLF(shm.Padded, shm.Sequential)) }
func TestFlagConformance(t *testing.T)     { conform.Run(t, Flag(shm.Padded, shm.Sequential)) }
func TestFlagBLConformance(t *testing.T)   { conform.Run(t, FlagBL(shm.Padded, shm.Sequential)) }
func TestFlagLFConformance(t *testing.T)   { conform.Run(t, FlagLF(shm.Padded, shm.Sequential)) }
func TestTreeConformance(t *testing.T)     { conform.Run(t, Tree(shm.Padded, shm.Sequential)) }
func TestTreeBLConformance(t *testing.T)   { conform.Run(t, TreeBL(shm.Padded)) }
