package cas

import (
	"testing"

	"shmbench/locktest"
	"shmbench/shm"
)

func TestCASConformance(t *testing.T) { locktest.Run(t, CAS(shm.Sequential)) }

func TestTestFirstConformance(t *testing.T) { locktest.Run(t, TestFirst(shm.Sequential)) }
