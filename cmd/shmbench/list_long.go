package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"shmbench/bench"
	"shmbench/internal/cli/table"
	"shmbench/shm"
)

const longLegend = `kind: try, a process can try to enter; abortable, it can give up while it waits; reader-writer, several
  readers can be in the critical section at once; delegation, a process can execute the critical
  sections of others; recoverable, a process that crashes can continue its passage.
spins: the memory model in which a passage makes a bounded number of remote references: coherent caches
  (CC) or distributed memory (DSM).
weakest: the weakest registers that keep exclusion, deadlock freedom and starvation freedom, in this
  order where they differ.
accesses: loads + stores + read-modify-writes of an uncontended passage of process 0, in a lock for 8
  processes or for its largest n.
variants: of layout and stores; the name of one is the lock's name, "-" and the variant.

`

// printLong prints the legend and every column of each lock, family by family.
func printLong(w io.Writer, algorithms []shm.Algorithm) error {
	fmt.Fprint(w, longLegend)
	variants := variantsOf(algorithms)
	var b strings.Builder
	t := table.New(&b, "lock", "operations", "n", "free of", "bypass", "FCFS", "kind", "spins", "registers", "weakest", "accesses", "variants", "source")
	families(algorithms, func(family string) {
		fmt.Fprintf(t, "%s%s\n", family, strings.Repeat("\t", 12))
	}, func(a shm.Algorithm) {
		fmt.Fprintf(t, "%s\t%v\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			a.Name, a.Class, processes(a), freeOf(a.Claims), a.Claims.Bypass, yes(a.Claims.FCFS), kindsOf(a), localSpin(a.Claims.LocalSpin),
			registers(a.Space), weakest(a.Claims.Weakest), accesses(a), cmp.Or(strings.Join(variants[a.Name], ", "), "-"), source(a))
	})
	t.Flush()
	return trimmed(w, b.String())
}

// variantsOf returns what the names of the variants of each lock add to its name.
func variantsOf(algorithms []shm.Algorithm) map[string][]string {
	variants := map[string][]string{}
	for _, a := range algorithms {
		if a.VariantOf != "" {
			variants[a.VariantOf] = append(variants[a.VariantOf], strings.TrimPrefix(a.Name, a.VariantOf+"-"))
		}
	}
	return variants
}

// registers is the space as one line: "want: 2, priority: 1".
func registers(s shm.Space) string {
	var kinds []string
	for _, r := range s {
		kinds = append(kinds, fmt.Sprintf("%s: %v", r.Name, r.Count))
	}
	if kinds == nil {
		return "-"
	}
	return strings.Join(kinds, ", ")
}

// weakest is the registers on which a lock keeps its properties, in short:
// "safe", or "safe/safe/regular".
func weakest(w shm.Weakest) string {
	all := []string{string(w.Exclusion), string(w.DeadlockFree), string(w.StarvationFree)}
	if w.StarvationFree == "" {
		all = all[:2]
	}
	switch {
	case w == shm.Weakest{}:
		return "-"
	case w.Exclusion == w.DeadlockFree && (len(all) == 2 || w.DeadlockFree == w.StarvationFree):
		return all[0]
	}
	for i := range all {
		all[i] = cmp.Or(all[i], "-")
	}
	return strings.Join(all, "/")
}

// accesses are those of an uncontended passage: "3+4+0".
func accesses(a shm.Algorithm) string {
	n, ok := bench.AccessesOf(a)
	if !ok || a.Class&shm.Opaque != 0 {
		return "-"
	}
	return fmt.Sprintf("%d+%d+%d", n.Loads, n.Stores, n.RMWs)
}

func source(a shm.Algorithm) string {
	s := fmt.Sprintf("%s, %d", a.Source.Author, a.Source.Year)
	if a.Reconstructed {
		s += " (reconstructed)"
	}
	if a.Simplified != "" {
		s += " (simplified)"
	}
	return s
}
