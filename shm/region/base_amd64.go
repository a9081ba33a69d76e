//go:build linux

package region

// base is the address of every region. Go puts its heap below 2^46, and Linux puts the heap
// of C, stacks and libraries near 2^47.
const base = uintptr(0x4800_0000_0000)
