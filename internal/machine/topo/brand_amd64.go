package topo

import (
	"encoding/binary"
	"strings"
)

// cpuid returns what the instruction CPUID tells about a leaf.
func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)

// The leaves of CPUID that have the processor's name, and the one that says whether
// they are there (AMD64 Architecture Programmer's Manual, volume 3, appendix E.4).
const (
	largestLeaf        = 0x8000_0000
	nameFrom, nameUpTo = 0x8000_0002, 0x8000_0004
)

// brand returns the processor's name, byte for byte as package testing prints it.
// The name of some processors ends with spaces, which /proc/cpuinfo does not have;
// with them and without them are two configurations for benchstat.
func brand() string {
	if largest, _, _, _ := cpuid(largestLeaf); largest < nameUpTo {
		return ""
	}
	var name []byte
	for leaf := uint32(nameFrom); leaf <= nameUpTo; leaf++ {
		eax, ebx, ecx, edx := cpuid(leaf)
		for _, four := range []uint32{eax, ebx, ecx, edx} {
			name = binary.LittleEndian.AppendUint32(name, four)
		}
	}
	whole, _, _ := strings.Cut(strings.TrimLeft(string(name), " "), "\x00")
	return whole
}
