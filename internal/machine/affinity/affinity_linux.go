package affinity

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// CPUs returns the numbers of the processors that this program may use, in
// ascending order.
func CPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("sched_getaffinity: %w", err)
	}
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// cpuRoot is where Linux tells which processors are where; a variable for tests.
var cpuRoot = "/sys/devices/system/cpu"

// locate returns where a processor is.
func locate(cpu int) Place {
	number := func(file string, otherwise int) int {
		text, err := os.ReadFile(filepath.Join(cpuRoot, fmt.Sprint("cpu", cpu), "topology", file))
		n, bad := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || bad != nil || n < 0 {
			return otherwise
		}
		return n
	}
	return Place{CPU: cpu, Core: number("core_id", cpu), Package: number("physical_package_id", 0)}
}

// Pin locks the calling goroutine to its thread and the thread to a
// processor. The goroutine must call unpin, which restores what was.
func Pin(cpu int) (unpin func(), err error) {
	runtime.LockOSThread()
	var before, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("sched_getaffinity: %w", err)
	}
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("cannot pin to processor %d: %w", cpu, err)
	}
	return func() {
		// A thread that stays bound would bind whatever runs on it next, so
		// it stays locked, and ends with its goroutine, if this fails.
		if unix.SchedSetaffinity(0, &before) == nil {
			runtime.UnlockOSThread()
		}
	}, nil
}
