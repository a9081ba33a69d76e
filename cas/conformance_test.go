package cas

import (
	"testing"

	"shmbench/locktest"
)

func TestCASConformance(t *testing.T) { locktest.Run(t, CAS) }

func TestTestFirstConformance(t *testing.T) { locktest.Run(t, TestFirst) }
