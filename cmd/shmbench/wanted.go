package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shmbench/internal/cli"
	"shmbench/shm"
)

// wanted is what an algorithm must have to be listed.
type wanted struct {
	class, registers, localSpin, kind                 string
	procs                                             int
	deadlockFree, starvationFree, boundedBypass, fcfs bool
	bounded, singleWriter, reconstructed              bool
}

func (w *wanted) declare(fs *flag.FlagSet) {
	fs.StringVar(&w.class, "class", "", "only those that take no more than this `class` of operations: rw, rmw (any read-modify-write), opaque, or names that the list shows, joined by +")
	fs.IntVar(&w.procs, "procs", 0, "only those for so many `processes`, and with what else is asked for there (default for every number that the lock allows)")
	procsLimit(fs)
	fs.BoolVar(&w.deadlockFree, "deadlock-free", false, "only those without deadlock")
	fs.BoolVar(&w.starvationFree, "starvation-free", false, "only those without lockout")
	fs.BoolVar(&w.boundedBypass, "bounded-bypass", false, "only those with a bound on how often a process is passed")
	fs.BoolVar(&w.fcfs, "fcfs", false, "only first-come-first-served ones")
	fs.BoolVar(&w.bounded, "bounded", false, "only those whose registers hold finitely many values")
	fs.BoolVar(&w.singleWriter, "single-writer", false, "only locks that use single-writer registers")
	fs.StringVar(&w.localSpin, "local-spin", "", "only those that wait on what is near, with this `memory`: cc, coherent caches, or dsm, memory distributed with the processes")
	cli.OneOf(fs, "local-spin", "the memory", "cc", "dsm")
	fs.StringVar(&w.registers, "registers", "", "only those that keep exclusion, and the liveness that is asked for, on registers of this `model`: atomic, regular or safe")
	registersLimit(fs)
	fs.StringVar(&w.kind, "kind", "", "only those of this `kind`: try, abortable or reader-writer")
	cli.OneOf(fs, "kind", "the kind of lock", slices.Sorted(maps.Keys(kinds))...)
	fs.BoolVar(&w.reconstructed, "reconstructed", false, "only locks reconstructed from secondary sources")
}

// kinds are the kinds of locks that have more than Lock and Unlock, and the mode of
// passage that makes each one.
var kinds = map[string]shm.Mode{"try": shm.Try, "abortable": shm.Until, "reader-writer": shm.Shared}

// kindsOf names the kinds of a lock, "-" if it has Lock and Unlock only.
func kindsOf(a shm.Algorithm) string {
	var names []string
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
	return slices.DeleteFunc(slices.Clone(all), func(t traits) bool { return !class(t.Class) || !w.has(t) }), nil
}

// has reports whether a lock has what is wanted beside its class.
func (w *wanted) has(t traits) bool {
	return (w.procs == 0 || t.MinProcs <= w.procs && w.procs <= t.MaxProcs) &&
		(!w.deadlockFree || t.DeadlockFree) &&
		(!w.starvationFree || t.StarvationFree) &&
		(!w.fcfs || t.FCFS) &&
		(!w.boundedBypass || w.everywhere(t, t.BoundedBypass)) &&
		(!w.bounded || w.everywhere(t, t.BoundedSpace)) &&
		(!w.singleWriter || t.SingleWriter) &&
		(w.localSpin != "cc" || t.LocalSpin.CC) && (w.localSpin != "dsm" || t.LocalSpin.DSM) &&
		(!w.reconstructed || t.Reconstructed) &&
		(w.kind == "" || t.Has(kinds[w.kind])) &&
		w.keeps(t.Weakest)
}

// everywhere reports whether something holds for every number of processes that is
// asked about; one process alone shows nothing.
func (w *wanted) everywhere(t traits, holds func(n int) bool) bool {
	least, most := max(2, t.MinProcs), t.MaxProcs
	if w.procs > 0 {
		least, most = w.procs, w.procs
	}
	for n := least; n <= most; n++ {
		if !holds(n) {
			return false
		}
	}
	return true
}

// keeps reports whether the properties are kept on the registers.
func (w *wanted) keeps(k shm.Weakest) bool {
	m := shm.RegisterModel(w.registers)
	return m == "" || k.Exclusion.Covers(m) && (!w.deadlockFree || k.DeadlockFree.Covers(m)) && (!w.starvationFree || k.StarvationFree.Covers(m))
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
