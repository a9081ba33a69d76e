//go:build linux

package region

// base is the address of every region. Go puts its heap below 2^47. Linux puts
// position-independent programs at two thirds of 2^48, and stacks and libraries near 2^48.
// A kernel with fewer than 48 bits of address space refuses it.
const base = uintptr(0x9000_0000_0000)
