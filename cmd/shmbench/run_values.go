package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"shmbench/bench"
)

// lengthFlag is a length of a section, or a sweep of lengths.
type lengthFlag struct {
	time.Duration
	sweep bool
}

// Get returns the length, for its limits.
func (l *lengthFlag) Get() any { return l.Duration }

func (l *lengthFlag) String() string {
	if l.sweep {
		return "sweep"
	}
	return l.Duration.String()
}

func (l *lengthFlag) Set(s string) (err error) {
	if *l = (lengthFlag{sweep: s == "sweep"}); l.sweep {
		return nil
	}
	if l.Duration, err = time.ParseDuration(s); err != nil {
		return errors.New("write a time with its unit, such as 200ns, or sweep")
	}
	return nil
}

// rateFlag is a rate of arrivals, or a sweep of rates.
type rateFlag struct {
	rate  float64
	sweep bool
}

func (r *rateFlag) String() string {
	if r.sweep {
		return "sweep"
	}
	return strconv.FormatFloat(r.rate, 'g', -1, 64)
}

func (r *rateFlag) Set(s string) (err error) {
	if *r = (rateFlag{sweep: s == "sweep"}); r.sweep {
		return nil
	}
	if r.rate, err = strconv.ParseFloat(s, 64); err != nil || !(r.rate >= 0 && r.rate <= bench.MaxRate) {
		return fmt.Errorf("write a number of arrivals a second between 0 and %.0f, or sweep", bench.MaxRate)
	}
	return nil
}

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
