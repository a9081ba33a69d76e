package bench

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Counters are the processor's own counters of cycles, instructions and cache
// misses. They count all threads of this program, in user mode. A nil *Counters
// counts nothing.
type Counters struct {
	files [len(counterUnits)][]int // by counter, one for each thread
}

var counterEvents = [len(counterUnits)]uint64{
	unix.PERF_COUNT_HW_CPU_CYCLES,
	unix.PERF_COUNT_HW_INSTRUCTIONS,
	unix.PERF_COUNT_HW_CACHE_MISSES,
}

// OpenCounters opens the counters and starts counting. The error says in one line
// why this machine does not allow it.
func OpenCounters() (*Counters, error) {
	return openCounters(unix.PERF_TYPE_HARDWARE, counterEvents)
}

func openCounters(kind uint32, events [len(counterUnits)]uint64) (*Counters, error) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	c := new(Counters)
	for i, event := range events {
		attr := unix.PerfEventAttr{
			Type:   kind,
			Config: event,
			Size:   uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
			// The threads that these threads start are counted too.
			Bits: unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		}
		for _, thread := range threads {
			tid, err := strconv.Atoi(thread.Name())
			if err != nil {
				continue
			}
			fd, err := unix.PerfEventOpen(&attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
			if err == unix.ESRCH {
				continue // the thread has ended
			}
			if err != nil {
				c.Close()
				return nil, fmt.Errorf("no hardware counters: perf_event_open for %s: %w", counterUnits[i], err)
			}
			c.files[i] = append(c.files[i], fd)
		}
	}
	return c, nil
}

// Close stops the counters.
func (c *Counters) Close() {
	for _, files := range c.files {
		for _, fd := range files {
			unix.Close(fd)
		}
	}
}

// read returns the counts since OpenCounters, in the order of counterUnits.
func (c *Counters) read() []uint64 {
	if c == nil {
		return nil
	}
	counts := make([]uint64, len(c.files))
	for i, files := range c.files {
		for _, fd := range files {
			var count [8]byte
			if n, err := unix.Read(fd, count[:]); err == nil && n == len(count) {
				counts[i] += binary.NativeEndian.Uint64(count[:])
			}
		}
	}
	return counts
}
