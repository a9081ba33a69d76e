// Command playreference writes what package check does of locks for n processes, one lock a line:
// the document that a page plays, sums over random executions, and verdicts. The tests in
// report/browser compare the page with them.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/check/play"
	"shmbench/shm"
)

// Reference is a lock, or the reason why it is not played.
type Reference struct {
	Lock      string         `json:"lock"`
	N         int            `json:"n"`
	NotPlayed string         `json:"not_played,omitempty"`
	Document  *play.Document `json:"document,omitempty"`
	// Sums has, by machine and seed from 1 on, a sum over the lines of an execution.
	Sums [][]uint32 `json:"sums,omitempty"`
	// Lines are those of one execution, if it was asked for.
	Lines []string `json:"lines,omitempty"`
	// Verdicts has by machine what the checker's analyses find.
	Verdicts []*play.Verdict `json:"verdicts,omitempty"`
}

type options struct {
	n, schedules, steps, machine, seed int
}

func main() {
	var o options
	alg := flag.String("alg", ".", "locks of the catalog, or mutants, whose names match")
	broken := flag.Bool("mutants", false, "mutants instead")
	flag.IntVar(&o.n, "procs", 2, "number of processes")
	flag.IntVar(&o.schedules, "schedules", 100, "random executions of each lock on each memory")
	flag.IntVar(&o.steps, "steps", 200, "steps of each")
	flag.IntVar(&o.machine, "machine", -1, "write the lines of one execution on this memory")
	flag.IntVar(&o.seed, "seed", 1, "with -machine: the execution")
	flag.Parse()
	if err := run(context.Background(), *alg, *broken, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ctx context.Context, alg string, broken bool, o options) error {
	pattern, err := regexp.Compile(alg)
	if err != nil {
		return err
	}
	asked := func(a shm.Algorithm) bool {
		return pattern.MatchString(a.Name) && a.MinProcs <= o.n && o.n <= a.MaxProcs
	}
	var algorithms []shm.Algorithm
	var some []mutants.Mutant
	if broken {
		for _, m := range mutants.All() {
			if asked(m.Algorithm) {
				some, algorithms = append(some, m), append(algorithms, m.Algorithm)
			}
		}
	} else {
		for _, a := range catalog.All() {
			if asked(a) && (a.VariantOf == "" || a.Stores == shm.Released) {
				algorithms = append(algorithms, a)
			}
		}
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	const together = 40
	for len(algorithms) > 0 {
		k := min(together, len(algorithms))
		var p *play.Package
		if broken {
			p, err = openMutants(ctx, some[:k])
			some = some[k:]
		} else {
			p, err = play.OpenFor(ctx, catalog.Path, algorithms[:k])
		}
		if err != nil {
			return err
		}
		for _, a := range algorithms[:k] {
			r, err := reference(ctx, p, a, o)
			if err != nil {
				return err
			}
			if err := json.NewEncoder(w).Encode(r); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
		algorithms = algorithms[k:]
	}
	return nil
}

func openMutants(ctx context.Context, some []mutants.Mutant) (*play.Package, error) {
	program, err := mutants.Source(ctx, some)
	if err != nil {
		return nil, err
	}
	return play.OpenEdited(ctx, program)
}

func reference(ctx context.Context, p *play.Package, a shm.Algorithm, o options) (*Reference, error) {
	r := &Reference{Lock: a.Name, N: o.n}
	lock, err := p.Algorithm(ctx, a, o.n)
	if not := (*play.NotPlayed)(nil); errors.As(err, &not) {
		r.NotPlayed = not.Error()
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.Document = lock.Document
	for i, m := range lock.Document.Machines {
		sums := []uint32{}
		if m.Partial != "" {
			r.Sums, r.Verdicts = append(r.Sums, sums), append(r.Verdicts, nil)
			continue
		}
		if i == o.machine {
			err := lock.Walk(i, uint32(o.seed), o.steps, func(line string) { r.Lines = append(r.Lines, line) })
			if err != nil {
				return nil, err
			}
		}
		for k := range o.schedules {
			sum := fnv.New32a()
			if err := lock.Walk(i, uint32(k+1), o.steps, func(line string) { fmt.Fprintln(sum, line) }); err != nil {
				return nil, err
			}
			sums = append(sums, sum.Sum32())
		}
		r.Sums, r.Verdicts = append(r.Sums, sums), append(r.Verdicts, lock.Verdict(i))
	}
	return r, nil
}
