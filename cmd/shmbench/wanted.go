package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/shm"
)

// wanted is what an algorithm must have to be listed.
type wanted struct {
	class, registers string
	procs            int
	has              properties
}

// properties is the flag value of a list of names of propertyTests.
type properties []string

func (p *properties) Set(s string) error {
	*p = strings.Split(s, ",")
	for _, name := range *p {
		if names := slices.Sorted(maps.Keys(propertyTests)); !slices.Contains(names, name) {
			return fmt.Errorf("%q is no property; the properties are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

func (p *properties) String() string { return strings.Join(*p, ",") }

// propertyTests are the properties that -has takes, and which locks have each.
var propertyTests = map[string]func(*wanted, traits) bool{
	"deadlock-free":   func(_ *wanted, t traits) bool { return t.Claims.DeadlockFree },
	"starvation-free": func(_ *wanted, t traits) bool { return t.Claims.StarvationFree },
	"bounded-bypass":  func(w *wanted, t traits) bool { return w.everywhere(t, t.boundedBypass) },
	"fcfs":            func(_ *wanted, t traits) bool { return t.Claims.FCFS },
	"bounded":         func(w *wanted, t traits) bool { return w.everywhere(t, t.boundedSpace) },
	"single-writer":   func(_ *wanted, t traits) bool { return t.singleWriter() },
	"local-spin-cc":   func(_ *wanted, t traits) bool { return t.Claims.LocalSpin.CC },
	"local-spin-dsm":  func(_ *wanted, t traits) bool { return t.Claims.LocalSpin.DSM },
	"reconstructed":   func(_ *wanted, t traits) bool { return t.Reconstructed },
	"simplified":      func(_ *wanted, t traits) bool { return t.Simplified != "" },
	"try":             func(_ *wanted, t traits) bool { return t.has(kinds["try"]) },
	"abortable":       func(_ *wanted, t traits) bool { return t.has(kinds["abortable"]) },
	"reader-writer":   func(_ *wanted, t traits) bool { return t.has(kinds["reader-writer"]) },
}

func (w *wanted) declare(fs *flag.FlagSet) {
	fs.StringVar(&w.class, "class", "", "only locks that take no more than this `class` of operations: rw, rmw (any read-modify-write), opaque, or names that the list shows, joined by +")
	fs.IntVar(&w.procs, "procs", 0, "only locks that allow this number of `processes` and have the properties there (default: they have the properties for every number that they allow)")
	procsLimit(fs)
	fs.Var(&w.has, "has", "only locks with these `properties`, such as fcfs,bounded: deadlock-free, starvation-free, bounded-bypass, fcfs, bounded (registers hold finitely many values), single-writer, "+
		"local-spin-cc and local-spin-dsm (a passage has a bounded number of remote memory references with coherent caches, with distributed memory), reconstructed (from secondary sources), simplified (without a part of the published lock), "+
		"try (a process can try to enter), abortable (it can give up while it waits), reader-writer (several can read at a time)")
	fs.StringVar(&w.registers, "registers", "", "only locks that keep mutual exclusion, and the liveness properties of -has, on registers of this `model`: atomic, regular or safe")
	registersLimit(fs)
}

// kinds are the kinds of locks that have more than Lock and Unlock, and the mode of
// passage that makes each one.
var kinds = map[string]shm.Mode{"try": shm.Try, "abortable": shm.Until, "reader-writer": shm.Shared}

// kindsOf names the kinds of a lock, those of bench.Kinds too, "-" if it has Lock and Unlock
// only.
func kindsOf(a shm.Algorithm) string {
	names := bench.Kinds(a)
	for name, mode := range kinds {
		if slices.Contains(a.Modes(), mode) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return cmp.Or(strings.Join(names, ", "), "-")
}

// of returns those of the algorithms that have all that is wanted.
func (w *wanted) of(all []shm.Algorithm) ([]shm.Algorithm, error) {
	having, err := w.among(traitsOf(all))
	return slices.DeleteFunc(slices.Clone(all), func(a shm.Algorithm) bool {
		return !slices.ContainsFunc(having, func(t traits) bool { return t.Name == a.Name })
	}), err
}

// among returns those of the locks that have all that is wanted.
func (w *wanted) among(all []traits) ([]traits, error) {
	class, err := parseClass(w.class)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(t traits) bool { return !class(t.Class) || !w.satisfied(t) }), nil
}

// satisfied reports whether a lock has what is wanted beside its class.
func (w *wanted) satisfied(t traits) bool {
	return (w.procs == 0 || t.MinProcs <= w.procs && w.procs <= t.MaxProcs) &&
		!slices.ContainsFunc(w.has, func(name string) bool { return !propertyTests[name](w, t) }) &&
		w.keeps(t.Claims.Weakest)
}

// everywhere reports whether something holds for every number of processes that is
// asked about.
func (w *wanted) everywhere(t traits, holds func(n int) bool) bool {
	if w.procs > 0 {
		return holds(w.procs)
	}
	return t.Everywhere(holds)
}

// keeps reports whether the properties are kept on the registers.
func (w *wanted) keeps(k shm.Weakest) bool {
	m := shm.RegisterModel(w.registers)
	lacks := func(property string, on shm.RegisterModel) bool {
		return slices.Contains(w.has, property) && !on.Covers(m)
	}
	return m == "" || k.Exclusion.Covers(m) && !lacks("deadlock-free", k.DeadlockFree) && !lacks("starvation-free", k.StarvationFree)
}

// parseClass returns whether a class is one that was asked for.
func parseClass(s string) (func(shm.Class) bool, error) {
	switch s {
	case "":
		return func(shm.Class) bool { return true }, nil
	case "rw":
		return func(c shm.Class) bool { return c == shm.ReadWrite }, nil
	case "rmw":
		return func(c shm.Class) bool { return c != shm.ReadWrite && c&shm.Opaque == 0 }, nil
	}
	var most shm.Class
	classes := shm.Classes()
	for name := range strings.SplitSeq(s, "+") {
		i := slices.IndexFunc(classes, func(c shm.Class) bool { return c.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-class %s: a class is rw, rmw, opaque, or names that the list shows, joined by +", s)
		}
		most |= classes[i]
	}
	return func(c shm.Class) bool { return c&most == c && (c != shm.ReadWrite || most == shm.ReadWrite) }, nil
}
