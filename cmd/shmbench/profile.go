package main

import (
	"os"
	"runtime/pprof"
	"runtime/trace"
)

// profile starts a CPU profile and an execution trace into the files that are
// named; stop ends them and completes the files.
func profile(cpuFile, traceFile string) (stop func() error, err error) {
	var stops []func() error
	stop = func() error {
		var errs []error
		for _, s := range stops {
			errs = append(errs, s())
		}
		return first(errs...)
	}
	if cpuFile != "" {
		f, err := os.Create(cpuFile)
		if err != nil {
			return nil, err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			f.Close()
			return nil, err
		}
		stops = append(stops, func() error { pprof.StopCPUProfile(); return f.Close() })
	}
	if traceFile != "" {
		f, err := os.Create(traceFile)
		if err != nil {
			return nil, first(err, stop())
		}
		if err := trace.Start(f); err != nil {
			f.Close()
			return nil, first(err, stop())
		}
		stops = append(stops, func() error { trace.Stop(); return f.Close() })
	}
	return stop, nil
}
