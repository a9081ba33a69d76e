package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/internal/build/sources"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
	"shmbench/internal/results/document"
	"shmbench/shm"
)

// listOne prints an algorithm and the file that it is in.
func listOne(w io.Writer, names []string, asJSON bool) error {
	a, err := named(names)
	if err != nil {
		return err
	}
	file, text, err := sourceOf(a)
	if err != nil {
		return err
	}
	if asJSON {
		return writeSourced(w, document.List, true, listed([]shm.Algorithm{a}), map[string]string{file: string(text)})
	}
	if err := printOne(w, a, file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s:\n\n%s", file, text)
	return err
}

// named returns the one algorithm that is named.
func named(names []string) (shm.Algorithm, error) {
	if len(names) > 1 {
		return shm.Algorithm{}, fmt.Errorf("%q: give one name, or -alg with a regular expression", names[1])
	}
	all := locks()
	a, err := all.Get(names[0])
	switch {
	case err == nil:
		return a, nil
	case slices.ContainsFunc(all.All, func(a shm.Algorithm) bool { return bench.Family(a.Name) == names[0] }):
		return a, fmt.Errorf("%s is a family: shmbench list -alg %[1]s lists its locks", names[0])
	}
	return a, err
}

// printOne prints the specification of an algorithm, a line for each part of it.
func printOne(w io.Writer, a shm.Algorithm, file string) error {
	t := table.New(w)
	row := func(name, value string) {
		if value == "" || value == "-" {
			return
		}
		for i, line := range words.Fold(value, listWidth-len("weakest registers  ")) {
			fmt.Fprintf(t, "%s\t%s\n", map[bool]string{true: name}[i == 0], line)
		}
	}
	fmt.Fprintf(w, "%s: %s\n\n", a.Name, a.Title)
	row("source", a.Source.String())
	if a.Reconstructed {
		row("", "reconstructed from secondary sources")
	}
	if a.Simplified != "" {
		row("", "simplified: without "+a.Simplified)
	}
	row("file", file)
	row("variant of", a.VariantOf)
	row("operations", a.Class.String())
	row("processes", processes(a))
	row("", explored(a))
	row("kind", kindsOf(a))
	row("free of", freeOf(a.Claims))
	row("FCFS", cmp.Or(map[bool]string{true: "yes"}[a.Claims.FCFS], "no"))
	row("doorway", doorway(a.Claims))
	row("bypass", a.Claims.Bypass.String())
	if a.Claims.Placed != nil {
		row("", fmt.Sprintf("%v after line %s", a.Claims.Placed, a.Claims.Place))
	}
	if p := a.Claims.ExitProcs; p > 0 {
		row("exit section", fmt.Sprintf("ends for n <= %d", p))
	}
	row("spins locally", cmp.Or(map[bool]string{true: "no"}[a.Claims.LocalSpin == shm.LocalSpin{}], localSpin(a.Claims.LocalSpin)))
	row("between processes", shared(a))
	row("published RMRs", publishedRMR(a.PublishedRMR))
	for i, m := range referencesOf(a.Claims.References) {
		row(map[bool]string{true: "most RMRs"}[i == 0], m)
	}
	row("under crashes", recovery(a.Claims.Recovery))
	for i, r := range a.Space {
		row(map[bool]string{true: "registers"}[i == 0], register(r))
	}
	row("weakest registers", weakest(a.Claims.Weakest))
	row("accesses", uncontended(a))
	row("variants", strings.Join(variantsOf(catalog.All())[a.Name], ", "))
	row("measured by run", reason(a))
	for i, m := range mutantsOf(a) {
		row(map[bool]string{true: "mutants"}[i == 0], fmt.Sprintf("%s: %s", strings.TrimPrefix(m.Name, "mutants/"), m.Broken))
	}
	for i, known := range knownOf(a) {
		row(map[bool]string{true: "known results"}[i == 0], known)
	}
	return t.Flush()
}

// explored says for how many processes check explores the lock or all its modes by default,
// where that is fewer than it tries.
func explored(a shm.Algorithm) string {
	switch e := a.Explored; {
	case e.Procs > 0:
		return fmt.Sprintf("check explores n <= %d by default", e.Procs)
	case e.Mixed > 0:
		return fmt.Sprintf("check explores all modes for n <= %d by default", e.Mixed)
	}
	return ""
}

// listWidth is how many characters a line of list has at most.
const listWidth = 100

// referencesOf are the exact remote memory references of a passage, a line for each model.
func referencesOf(r shm.References) (lines []string) {
	for _, m := range shm.RMRModels {
		if f := r.In(m); f != nil {
			lines = append(lines, fmt.Sprintf("%v (%s)", f, m))
		}
	}
	return lines
}

// recovery is what a lock claims where processes crash.
func recovery(r *shm.Recovery) string {
	if r == nil {
		return ""
	}
	text := "deadlock-free"
	switch {
	case r.StronglyStarvationFree:
		text = "strongly starvation-free"
	case r.StarvationFree:
		text = "starvation-free"
	}
	switch {
	case r.StronglyFCFS:
		text += ", first-come-first-served also if a waiting process crashes"
	case r.FCFS:
		text += ", first-come-first-served until a waiting process crashes"
	}
	if r.SystemWide {
		text += ", if all processes crash at once"
	}
	return fmt.Sprintf("%s; steps of re-entry %v, Recover %v, exit %v", text, r.Reentry, r.Recover, r.Exit)
}

// publishedRMR is a published bound with its publication, or why none is known.
func publishedRMR(p shm.PublishedRMR) string {
	switch {
	case p == shm.PublishedRMR{}:
		return ""
	case p.None != "":
		return p.String()
	}
	return fmt.Sprintf("%v (%s)", p, p.In)
}

func doorway(c shm.Claims) string {
	if c.Doorway == "" {
		return ""
	}
	return "up to line " + c.Doorway
}

// register says of one kind of register how many there are, how many values each
// holds, and which processes write it.
func register(r shm.Registers) string {
	text := fmt.Sprintf("%s: %v, each with %v values", r.Name, r.Count, r.Values)
	if r.SingleWriter {
		text += ", one writer each"
	}
	return text
}

// uncontended are the accesses of a passage of one process in words.
func uncontended(a shm.Algorithm) string {
	n, ok := bench.AccessesOf(a)
	if !ok || a.Class&shm.Opaque != 0 {
		return ""
	}
	return fmt.Sprintf("loads %d, stores %d, read-modify-writes %d in an uncontended passage", n.Loads, n.Stores, n.RMWs)
}

// reason says why run measures a lock by default.
func reason(a shm.Algorithm) string {
	for _, c := range catalog.Short() {
		if c.Name == a.Name {
			return "by default: " + c.Why
		}
	}
	return "only by name, or with -alg ."
}

// mutantsOf returns the mutants that are edits of a lock.
func mutantsOf(a shm.Algorithm) []mutants.Mutant {
	return slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return m.Of != a.Name })
}

// sourceOf returns the file of an algorithm, which is named after it, or else is the one
// that has the Lock method of its type.
func sourceOf(a shm.Algorithm) (file string, text []byte, err error) {
	name := a.Name
	if a.VariantOf != "" {
		name = a.VariantOf
	}
	files := sources.Files()
	folder := sources.Folder(files, path.Dir(name))
	file = path.Join(folder, path.Base(name)+".go")
	if text, err = fs.ReadFile(files, file); err == nil {
		return file, text, nil
	}
	lock, err := a.New(a.MinProcs)
	if err != nil {
		return "", nil, err
	}
	method, _ := reflect.TypeOf(lock).MethodByName("Lock")
	pc := method.Func.Pointer()
	at, _ := runtime.FuncForPC(pc).FileLine(pc)
	file = path.Join(folder, path.Base(filepath.ToSlash(at)))
	text, err = fs.ReadFile(files, file)
	return file, text, err
}
