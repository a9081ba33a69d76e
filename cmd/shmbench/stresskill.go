package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/run/isolate"
	"shmbench/shm"
	"shmbench/stress/kills"
)

// killing is the flag value of how many processes are killed: "200", or "system:200" if all
// are killed at once.
type killing struct {
	system bool
	most   int
}

const mostKills = 1_000_000

func (k *killing) Set(text string) (err error) {
	number, system := strings.CutPrefix(text, "system:")
	k.system = system
	if k.most, err = strconv.Atoi(number); err != nil || k.most < 1 || k.most > mostKills {
		return fmt.Errorf("%q is not a number of kills: write a number from 1 to %d, or system: and such a number, as in system:200", text, mostKills)
	}
	return nil
}

func (k *killing) String() string {
	switch {
	case k == nil || k.most == 0:
		return ""
	case k.system:
		return fmt.Sprint("system:", k.most)
	}
	return strconv.Itoa(k.most)
}

// killedProcs is for how many processes a lock is tested unless told.
const killedProcs = 3

// stressKills kills the processes of locks in a program that is built for it, in which each
// access of a lock can be the last one of its process.
func stressKills(ctx context.Context, e env, f stressFlags) error {
	trials, err := f.trials()
	if err != nil {
		return err
	}
	program, remove, err := rebuilt(ctx, f, "-kill", "no process was killed")
	if err != nil {
		return err
	}
	defer remove()
	reports, err := inTurn(ctx, e.Stderr, trials, func(t kills.Trial) string { return t.Lock }, func(t kills.Trial) (*kills.Report, error) {
		return isolate.Ask[kills.Trial, *kills.Report](ctx, program, kills.Service, t)
	})
	if err != nil && len(reports) == 0 {
		return err
	}
	if err != nil {
		return cmp.Or(printKilled(e, f, false, reports), err)
	}
	if err := printKilled(e, f, ctx.Err() == nil, reports); err != nil {
		return err
	}
	return first(killedVerdict(reports), interrupted(ctx, "the processes of %d of %d locks were killed", len(reports), len(trials)))
}

// trials are those of the locks that were named, or of all that recover.
func (f stressFlags) trials() ([]kills.Trial, error) {
	locks, err := f.selection.locks()
	if err != nil {
		return nil, err
	}
	var trials []kills.Trial
	for _, a := range locks {
		if !f.selection.given() && (a.VariantOf != "" || !a.Recovers()) {
			continue
		}
		procs := f.procs
		if procs == nil {
			procs = cli.IntList{min(max(killedProcs, a.MinProcs), a.MaxProcs)}
		}
		for _, n := range procs {
			if err := shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs); err != nil {
				return nil, err
			}
			trials = append(trials, kills.Trial{Lock: a.Name, Procs: n, Kills: f.kill.most, System: f.kill.system,
				Seed: cmp.Or(f.seed, rand.Uint64()), Deadline: f.deadline})
		}
	}
	return trials, nil
}

// printKilled prints a line for each lock, and below it what was found.
func printKilled(e env, f stressFlags, complete bool, reports []*kills.Report) error {
	if f.json {
		return writeJSON(e.Stdout, "stress kill", complete, reports)
	}
	heads := append([]string{"lock", "procs", "passages", "killed"}, kills.SectionNames[:]...)
	w := table.New(e.Stdout, append(heads, "found")...)
	for _, r := range reports {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d", r.Algorithm, r.Procs, r.Passages, r.Total())
		for _, n := range r.Kills {
			fmt.Fprintf(w, "\t%d", n)
		}
		found := "nothing"
		if r.Found != nil {
			found = r.Found.Oracle
		}
		fmt.Fprintf(w, "\t%s\n", found)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range reports {
		if r.Found != nil {
			fmt.Fprintf(e.Stdout, "\n%s: %s\n  %s\n", r.Algorithm, r.Found.Oracle, r.Found.Text)
		}
	}
	return nil
}

// killedVerdict returns errViolated if something forbidden was found of a lock.
func killedVerdict(reports []*kills.Report) error {
	for _, r := range reports {
		if r.Found != nil {
			return errViolated
		}
	}
	return nil
}
