package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"shmbench/check"
	"shmbench/internal/cli"
	"shmbench/internal/machine/affinity"
	"shmbench/shm"
)

// replayed runs a schedule, or the traces in a file, on the compiled code.
func (c *checkFlags) replayed(ctx context.Context, e env) error {
	_, err := os.Stat(c.replay)
	if err == nil || !check.IsSchedule(c.replay) {
		return c.replayFile(ctx, e)
	}
	s, err := c.schedule()
	if err != nil {
		return err
	}
	t, err := s.Replay(ctx, e.Stdout)
	if err != nil {
		return err
	}
	return c.out.writePage(e.Stderr, []*check.Trace{t}, t.Texts())
}

func (c *checkFlags) replayFile(ctx context.Context, e env) error {
	if err := only(c.fs, "-replay checks nothing, and the traces in a file say what they are of", "replay", "o"); err != nil {
		return err
	}
	traces, err := check.ReadTraces(c.replay)
	if err != nil {
		return cli.Of(c.fs, "replay", err)
	}
	texts := map[string]string{}
	for i, t := range traces {
		if i > 0 {
			fmt.Fprintln(e.Stdout)
		}
		if err := t.Replay(ctx, e.Stdout); err != nil {
			return err
		}
		for place, text := range t.Texts() {
			texts[place] = text
		}
	}
	return c.out.writePage(e.Stderr, traces, texts)
}

// schedule is the one that -replay gives, of the lock that the other flags name.
func (c *checkFlags) schedule() (*check.Schedule, error) {
	if err := c.parse(); err != nil {
		return nil, err
	}
	if len(c.n.IntList) != 1 {
		return nil, errors.New("-replay with a schedule needs one number of processes: give it with -procs")
	}
	s := &check.Schedule{N: c.n.IntList[0], TSO: c.o.TSO, Turns: c.replay}
	if c.pkg != nil {
		s.Origin = check.Origin{Package: c.pkg.Path, Constructor: c.pkg.Constructor}
		return s, nil
	}
	if c.selection.alg == "" {
		return nil, errors.New("-replay with a schedule needs one lock: give its name or the path of its package")
	}
	a, origin, err := c.one()
	if err != nil {
		return nil, err
	}
	s.Origin = origin
	return s, shm.CheckProcs(a.Name, s.N, a.MinProcs, min(a.MaxProcs, check.MaxProcs))
}

// one is the one algorithm, or known-broken lock, that -alg matches.
func (c *checkFlags) one() (shm.Algorithm, check.Origin, error) {
	var found []shm.Algorithm
	origin := check.Origin{Package: "shmbench/catalog", List: "All"}
	if c.knownBroken {
		all, err := knownBroken().Match(c.selection.alg)
		if err != nil {
			return shm.Algorithm{}, origin, err
		}
		for _, e := range all {
			found = append(found, e.Algorithm)
		}
		origin.Package = "shmbench/catalog/knownbroken"
	} else {
		all, err := c.selection.locks()
		if err == nil {
			all, err = c.topology.placed(all, affinity.ByCore)
		}
		if err != nil {
			return shm.Algorithm{}, origin, err
		}
		if found = all; len(c.o.Paths) > 0 {
			origin.List, origin.Paths = "At", c.o.Paths
		}
	}
	if len(found) != 1 {
		return shm.Algorithm{}, origin, fmt.Errorf("-replay with a schedule is of one lock, and -alg %s matches %d", c.selection.alg, len(found))
	}
	origin.Algorithm = found[0].Name
	return found[0], origin, nil
}
