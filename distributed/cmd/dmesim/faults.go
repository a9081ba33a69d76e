package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"shmbench/distributed/explore"
	"shmbench/distributed/sim"
)

// randomForms is an example of every fault at random as parseFaults reads it.
const randomForms = "crash every 20s; restart after 5s; cut every 30s; heal after 5s"

// parseFaults reads the faults of a simulation: a schedule, as sim.ParseFaults reads it, and
// mean times, in the forms of randomForms.
func parseFaults(text string) (schedule []sim.Fault, random sim.RandomFaults, err error) {
	mean := map[string]*time.Duration{"crash every": &random.Crash, "restart after": &random.Repair, "cut every": &random.Cut, "heal after": &random.Heal}
	var planned []string
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		at := strings.LastIndex(part, " ")
		to := mean[strings.TrimSpace(part[:max(at, 0)])]
		switch {
		case to == nil:
			planned = append(planned, part)
			continue
		case *to != 0:
			return nil, random, fmt.Errorf("%q is a second mean time of this fault", part)
		}
		if *to, err = time.ParseDuration(part[at+1:]); err != nil || *to <= 0 || *to > sim.LongestTime {
			return nil, random, fmt.Errorf("%q: the mean time must be more than 0 and at most %v", part, sim.LongestTime)
		}
	}
	switch {
	case random.Repair > 0 && random.Crash == 0:
		return nil, random, fmt.Errorf("%q needs a fault such as %q", "restart after", "crash every 20s")
	case random.Heal > 0 && random.Cut == 0:
		return nil, random, fmt.Errorf("%q needs a fault such as %q", "heal after", "cut every 30s")
	}
	schedule, err = sim.ParseFaults(strings.Join(planned, ";"))
	return schedule, random, err
}

// countForms is an example of every fault as parseCounts reads it.
const countForms = "restart:1,suspect:1,early:1,no-heal"

// parseCounts reads further faults of an exploration, each with how often it may happen.
func parseCounts(text string, faults *explore.Faults) error {
	counts := map[string]*int{"restart": &faults.Recover, "suspect": &faults.Suspicions, "early": &faults.Early}
	for part := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(part, ":")
		if part == "no-heal" {
			faults.CutsLast = true
			continue
		}
		to := counts[name]
		if to == nil {
			return fmt.Errorf("%q is no fault: want faults such as %s", part, countForms)
		}
		k, err := strconv.Atoi(number)
		if err != nil || k < 0 || k > mostFaults {
			return fmt.Errorf("%q: the number of faults must be between 0 and %d", part, mostFaults)
		}
		*to = k
	}
	return nil
}

// mostFaults is the most faults of a kind that an exploration counts.
const mostFaults = 255
