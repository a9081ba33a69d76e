package topo

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func cpuModel() string { return sysctl("machdep.cpu.brand_string") }

// caches describes the sizes that the system tells, in bytes.
func caches() string {
	l1, err1 := unix.SysctlUint64("hw.l1dcachesize")
	l2, err2 := unix.SysctlUint64("hw.l2cachesize")
	line, err3 := unix.SysctlUint64("hw.cachelinesize")
	if err1 != nil || err2 != nil || err3 != nil {
		return ""
	}
	return fmt.Sprintf("L1 data %dK, L2 unified %dK, lines of %d", l1>>10, l2>>10, line)
}

// governor is empty: the system does not let programs see it.
func governor() string { return "" }

func kernel() string { return "Darwin " + sysctl("kern.osrelease") }

func sysctl(name string) string {
	value, err := unix.Sysctl(name)
	if err != nil {
		return ""
	}
	return value
}

// memoryNode is 0: this platform does not tell.
func memoryNode(int) int { return 0 }
