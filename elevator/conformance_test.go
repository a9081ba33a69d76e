package elevator

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestLinearConformance(t *testing.T)   { locktest.Run(t, Linear(shm.Padded, shm.Sequential)) }
func TestLinearBLConformance(t *testing.T) { locktest.Run(t, LinearBL(shm.Padded, shm.Sequential)) }
func TestLinearLFConformance(t *testing.T) { locktest.Run(t, LinearLF(shm.Padded, shm.Sequential)) }
func TestFlagConformance(t *testing.T)     { locktest.Run(t, Flag(shm.Padded, shm.Sequential)) }
func TestFlagBLConformance(t *testing.T)   { locktest.Run(t, FlagBL(shm.Padded, shm.Sequential)) }
func TestFlagLFConformance(t *testing.T)   { locktest.Run(t, FlagLF(shm.Padded, shm.Sequential)) }
func TestTreeConformance(t *testing.T)     { locktest.Run(t, Tree(shm.Padded, shm.Sequential)) }
func TestTreeBLConformance(t *testing.T)   { locktest.Run(t, TreeBL(shm.Padded)) }
