//go:build !linux || !cgo || !pthread

package robust

import "shmbench/shm"

// pthread is empty: the mutex of the C library needs the build tag "pthread" and a C compiler.
var pthread []shm.Algorithm
