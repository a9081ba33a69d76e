//go:build !linux

package catalog

import "shmbench/shm"

var platform []shm.Algorithm

// Absent returns the algorithms that this platform cannot have.
func Absent() []Absence {
	return []Absence{{"baseline/futex", "the futex system call is Linux's own"}}
}
