package main

import (
	"errors"

	"shmbench/bench"
)

// pinning is the flag value of a bench.Pinning; -pin by itself means cores.
type pinning bench.Pinning

func (p *pinning) Set(s string) error {
	switch s {
	case "true", "cores":
		*p = pinning(bench.PinCores)
	case "threads":
		*p = pinning(bench.PinThreads)
	case "false":
		*p = pinning(bench.NotPinned)
	default:
		return errors.New("processes are pinned to cores or to threads")
	}
	return nil
}

func (p *pinning) String() string { return string(*p) }

// IsBoolFlag lets -pin go without a value.
func (p *pinning) IsBoolFlag() bool { return true }
