//go:build !linux

package spin

// hasOSYield says whether a program can yield to the operating system.
const hasOSYield = false

// osYield is not called: see PolicyNames.
func osYield() {}
