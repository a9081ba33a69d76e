//go:build !linux

// Package robust is the robust mutex of Linux, which this system does not have.
package robust

import (
	"errors"

	"shmbench/shm"
)

// Spec is the specification of a mutex that cannot be built here.
var Spec = shm.Algorithm{
	Name: "baseline/robust", Title: "Robust mutex of Linux", MinProcs: 1, MaxProcs: shm.MaxProcs,
	New: func(int) (shm.Mutex, error) { return nil, errors.ErrUnsupported },
}
