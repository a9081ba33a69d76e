package baseline

import "shmbench/shm"

// Null is the specification of the null lock, which is in no catalog. It excludes no process,
// and measures the cost of everything around a lock.
var Null = shm.Algorithm{
	Name:   "baseline/null",
	Title:  "No lock at all",
	Source: shm.Source{Author: "The shmbench authors", Title: "The null lock", Venue: "this module", Year: 2026},
	Class:  shm.ReadWrite,
	Space:  shm.Space{},
}.Built(shm.Packed, shm.Sequential, buildNull)

// NullMutex does nothing.
type NullMutex struct{}

// NewNull returns the null lock for n processes, or a *shm.ProcsError.
func NewNull(n int) (*NullMutex, error) {
	return shm.New[*NullMutex](Null, n)
}

func buildNull(shm.Build) shm.Mutex { return new(NullMutex) }

// Lock returns at once.
func (*NullMutex) Lock(int) {}

// Unlock returns at once.
func (*NullMutex) Unlock(int) {}
