//go:build !linux

package futex

import "sync/atomic"

// Missing says what a lock lacks on this system, for its specification.
const Missing = "sleeping, because this system has no futexes: a process yields its processor"

// exists says that the system has futexes.
const exists = false

func wait(*atomic.Uint32, uint32) {}

func wake(*atomic.Uint32) {}
