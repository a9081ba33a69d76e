//go:build !linux

package bench

import "errors"

// Counters are the processor's own counters. Only Linux gives access to them.
type Counters struct{}

// OpenCounters returns an error: this platform has no access to the counters.
func OpenCounters() (*Counters, error) {
	return nil, errors.New("hardware counters are read by perf_event_open, which only Linux has")
}

// Close does nothing.
func (*Counters) Close() {}

func (*Counters) read() []uint64 { return nil }
