package main

import (
	"fmt"
	"io"
	"strings"

	"shmbench/catalog"
	"shmbench/internal/cli/table"
	"shmbench/shm"
)

const tableLegend = `operations: r/w reads and writes, TAS test-and-set, CAS compare-and-swap, FAA fetch-and-add,
  FAO fetch-and-or, futex sleeping in the kernel, opaque the Go runtime or the operating system.
n: numbers of processes. free of: starvation, or only deadlock. bypass: the most critical sections
  of other processes between a process's doorway and its entry; "by n" depends on n or the machine.
FCFS: first-come-first-served. CC, DSM: how the remote references of a passage grow with n, with
  coherent caches and with distributed memory, as published: 1, lg n, n; * amortized;
  "yes" bounded, growth not cited; "-" unbounded. run: measured by default.
Variants, registers and sources: shmbench list NAME.

`

// shortOperations has the short names of the operations, for a narrow table.
var shortOperations = strings.NewReplacer("read/write", "r/w", "test-and-set", "TAS", "compare-and-swap", "CAS",
	"fetch-and-add", "FAA", "fetch-and-or", "FAO", "+", " ")

// printTable prints the legend and a line of at most 100 columns for each lock, family
// by family.
func printTable(w io.Writer, algorithms []shm.Algorithm) error {
	fmt.Fprint(w, tableLegend)
	measured := map[string]bool{}
	for _, c := range catalog.Short() {
		measured[c.Name] = true
	}
	var b strings.Builder
	t := table.New(&b, "lock", "operations", "n", "free of", "bypass", "FCFS", "CC", "DSM", "run")
	families(algorithms, func(family string) {
		fmt.Fprintf(t, "%s%s\n", family, strings.Repeat("\t", 8))
	}, func(a shm.Algorithm) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.Name, shortOperations.Replace(a.Class.String()),
			processes(a), freeOf(a.Claims), shortBypass(a.Claims.Bypass), yes(a.Claims.FCFS),
			shortGrowth(a.PublishedRMR.CC, a.Claims.LocalSpin.CC), shortGrowth(a.PublishedRMR.DSM, a.Claims.LocalSpin.DSM), yes(measured[a.Name]))
	})
	t.Flush()
	return trimmed(w, b.String())
}

// trimmed prints the lines of a table without blanks at their ends.
func trimmed(w io.Writer, table string) error {
	for line := range strings.Lines(table) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

func processes(a shm.Algorithm) string {
	if a.MinProcs == a.MaxProcs {
		return fmt.Sprint(a.MaxProcs)
	}
	return fmt.Sprintf("%d..%d", a.MinProcs, a.MaxProcs)
}

// freeOf names the strongest claim of progress.
func freeOf(c shm.Claims) string {
	switch {
	case c.StarvationFree:
		return "starvation"
	case c.DeadlockFree:
		return "deadlock"
	}
	return "-"
}

// shortBypass is a formula of at most nine characters, or "by n" for a longer one.
func shortBypass(f shm.Formula) string {
	if text := f.String(); len(text) <= len("unbounded") {
		return text
	}
	return "by n"
}

// growths has the short forms of published growths.
var growths = strings.NewReplacer("O(", "", "Θ(", "", ")", "", "log", "lg", " amortized", "*")

// shortGrowth is a published growth in at most as many characters as "lg n", and otherwise whether
// there is a bound.
func shortGrowth(published string, bounded bool) string {
	if text := growths.Replace(published); text != "" && published != shm.RMRUnbounded && len(text) <= len("lg n") {
		return text
	}
	return yes(bounded)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}

func localSpin(l shm.LocalSpin) string {
	switch {
	case l.CC && l.DSM:
		return "CC, DSM"
	case l.CC:
		return "CC"
	case l.DSM:
		return "DSM"
	}
	return "-"
}
