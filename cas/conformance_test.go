package cas

import (
	"testing"

	"shmbench/internal/testkit/conform"
	"shmbench/shm"
)

func TestCASConformance(t *testing.T) { conform.Run(t, CAS(shm.Sequential)) }

func TestTestFirstConformance(t *testing.T) { conform.Run(t, TestFirst(shm.Sequential)) }
