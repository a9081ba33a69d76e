package history

import (
	"math/bits"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel    = windows.NewLazySystemDLL("kernel32.dll")
	frequency = counted("QueryPerformanceFrequency")
)

// counted calls a function that writes one number.
func counted(function string) (n int64) {
	if ok, _, err := kernel.NewProc(function).Call(uintptr(unsafe.Pointer(&n))); ok == 0 {
		panic(err)
	}
	return n
}

// Now reads the performance counter in ns. All processes of one machine read the same
// counter.
func Now() int64 {
	high, low := bits.Mul64(uint64(counted("QueryPerformanceCounter")), 1e9)
	ns, _ := bits.Div64(high, low, uint64(frequency))
	return int64(ns)
}
