package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/survey"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
)

var electVerb = cli.Verb{
	Name:    "elect",
	Summary: "simulate elections: messages by kind, time to agreement, elections at once",
	Example: "dmesim elect -nodes 8 -dead 7 -initiators 0,3\n" +
		"dmesim elect -alg '^ring$' -nodes 6 -dead 5 -initiators 1 -pick lowest\n" +
		"dmesim elect -alg 'ring$|chang-roberts' -first -ring descending -initiators all\n" +
		"dmesim elect -table -nodes 16",
	Groups: []cli.Group{{Heading: cli.Output, Flags: []string{"json", "table"}}},
	Rules:  []cli.Rule{{Flag: "table", Without: []string{"first", "initiators", "dead", "ring", "pick"}}},
	Setup: func(fs *flag.FlagSet) cli.Body {
		b := ballot{fs: fs, choose: chooseSome(fs, elections|broken)}
		fs.IntVar(&b.config.Nodes, "nodes", 8, "how many nodes; all follow the highest at the beginning, or the lowest with -pick lowest")
		nodesLimit(fs, 10_000)
		fs.BoolVar(&b.config.First, "first", false, "no node leads at the beginning")
		fs.StringVar(&b.initiators, "initiators", "all", "the nodes that suspect the leader, at once and in this order: a list, all that are up (all), or so many of them drawn at random (random:K)")
		fs.StringVar(&b.dead, "dead", "", "the nodes that are dead, a list")
		fs.StringVar(&b.ring, "ring", "ascending", "order of the nodes along the ring: ascending, descending or random")
		cli.OneOf(fs, "ring", "the order along the ring", "ascending", "descending", "random")
		fs.StringVar(&b.pick, "pick", "highest", "the elected node: the highest or, by ring alone, the lowest")
		cli.OneOf(fs, "pick", "the elected node", "highest", "lowest")
		fs.BoolVar(&b.table, "table", false, "best, worst and mean of each election against the textbook, and what several initiators cost")
		cli.SeedFlag(fs, &b.seed)
		cli.JSONFlag(fs, &b.json)
		return b.run
	},
}

// ballot is one use of the verb.
type ballot struct {
	fs                           *flag.FlagSet
	choose                       *chooser
	config                       election.Config
	initiators, dead, ring, pick string
	table, json                  bool
	seed                         uint64
}

// held is a contest and what came of it.
type held struct {
	Election   string           `json:"election"`
	Nodes      int              `json:"nodes"`
	Ring       []distributed.ID `json:"ring,omitempty"`
	Dead       []distributed.ID `json:"dead"`
	Initiators []distributed.ID `json:"initiators"`
	Agreed     bool             `json:"agreed"`
	Detail     string           `json:"detail,omitempty"`
	Leader     distributed.ID   `json:"leader"`
	Messages   map[string]int64 `json:"messages"` // by kind
	Total      int64            `json:"total"`
	Time       float64          `json:"time"` // message delays
	Candidates int              `json:"candidates"`
	AtOnce     int              `json:"at_once"`
}

func (b *ballot) run(ctx context.Context, e cli.Env, _ []string) error {
	chosen, err := b.choose.from.Match(b.choose.alg)
	if err != nil {
		return err
	}
	if b.choose.alg == "" { // all but the broken ones
		chosen = subjects(elections).All
	}
	if b.table {
		return b.tabulate(ctx, e, chosen)
	}
	if !slices.ContainsFunc(chosen, func(s subject) bool { return s.election.Ring }) {
		if err := cli.Refuse(b.fs, "none of the elections runs on a ring", "ring"); err != nil {
			return err
		}
	}
	rows := []held{}
	for _, s := range chosen {
		c, err := b.contest(s.election)
		if err != nil {
			return err
		}
		o, err := election.Hold(ctx, c)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		r := row(c, o)
		if !r.Agreed && !s.election.Crash && len(r.Dead) > 0 {
			r.Detail += "; it claims to survive no crash"
		}
		rows = append(rows, r)
	}
	var violated error
	for k, r := range rows {
		if !r.Agreed && (chosen[k].election.Crash || len(r.Dead) == 0) {
			violated = cli.ErrViolated
		}
	}
	return printed(e, "elect", b.json, rows, func(w io.Writer) error { return writeHeld(w, rows) },
		cli.Interrupted(ctx, "%d of %d elections are complete", len(rows), len(chosen)), violated)
}

// contest makes a's contest of the flags. An order of the ring is for those that
// run on one.
func (b *ballot) contest(a *election.Algorithm) (c election.Contest, err error) {
	c.Algorithm, c.Config = a, b.config
	n := b.config.Nodes
	c.Config.Lowest = b.pick == "lowest"
	switch b.ring {
	case "descending":
		c.Config.Ring = election.Descend(n)
	case "random":
		c.Config.Ring = survey.RandomRing(n, b.seed, 0)
	}
	if !a.Ring {
		c.Config.Ring = nil
	}
	if b.dead != "" {
		if c.Dead, err = distributed.ParseIDs(b.dead); err != nil {
			return c, fmt.Errorf("-dead %s: write a list of nodes such as 0,3", b.dead)
		}
	}
	c.Initiators, err = b.who(n, c.Dead)
	if err != nil {
		return c, err
	}
	return c, c.Check()
}

// who returns the initiators that the flag names.
func (b *ballot) who(n int, dead []distributed.ID) ([]distributed.ID, error) {
	isDead := map[distributed.ID]bool{}
	for _, i := range dead {
		isDead[i] = true
	}
	var up []distributed.ID
	for i := range distributed.ID(n) {
		if !isDead[i] {
			up = append(up, i)
		}
	}
	if b.initiators == "all" {
		return up, nil
	}
	if text, random := strings.CutPrefix(b.initiators, "random:"); random {
		k, err := strconv.Atoi(text)
		if err != nil || k < 1 || k > len(up) {
			return nil, fmt.Errorf("-initiators %s: random:K wants 1 to %d, the nodes that are up", b.initiators, len(up))
		}
		rand.New(rand.NewPCG(b.seed, 1)).Shuffle(len(up), func(i, j int) { up[i], up[j] = up[j], up[i] })
		return up[:k], nil
	}
	ids, err := distributed.ParseIDs(b.initiators)
	if err != nil {
		return nil, fmt.Errorf("-initiators %s: write a list of nodes such as 0,3, all, or random:K", b.initiators)
	}
	return ids, nil
}

func row(c election.Contest, o *election.Outcome) held {
	return held{
		Election: c.Algorithm.Name, Nodes: c.Config.Nodes, Ring: c.Config.Ring, Dead: c.Dead, Initiators: c.Initiators,
		Agreed: o.Agreed, Detail: o.Detail, Leader: o.Leader, Messages: o.Messages.ByName(), Total: o.Messages.Total(), Time: o.Time, Candidates: o.Candidates, AtOnce: o.AtOnce,
	}
}

func writeHeld(w io.Writer, rows []held) error {
	t := table.New(w, "election", "leader", "election", "ok", "reply", "leader", "ack", "all", "time", "candidates", "at once")
	for _, r := range rows {
		leader := fmt.Sprint(r.Leader)
		if !r.Agreed {
			leader = "none"
		}
		fmt.Fprintf(t, "%s\t%s", r.Election, leader)
		for _, k := range []distributed.Kind{distributed.Election, distributed.OK, distributed.Reply, distributed.Leader, distributed.Ack} {
			fmt.Fprintf(t, "\t%d", r.Messages[k.String()])
		}
		fmt.Fprintf(t, "\t%d\t%.4g\t%d\t%d\n", r.Total, r.Time, r.Candidates, r.AtOnce)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if !r.Agreed {
			fmt.Fprintf(w, "%s: no agreement: %s\n", r.Election, r.Detail)
		}
	}
	_, err := fmt.Fprint(w, "\nmessages by kind; time: message delays until all follow the leader; candidates: in whose names ELECTION went, and how many at once\n")
	return err
}

// tabulate holds the cases of the specifications.
func (b *ballot) tabulate(ctx context.Context, e cli.Env, chosen []subject) error {
	if b.config.Nodes > 128 {
		return fmt.Errorf("-nodes %d: with -table the number of nodes must be between 2 and 128", b.config.Nodes)
	}
	var all []*election.Algorithm
	for _, s := range chosen {
		all = append(all, s.election)
	}
	type tables struct {
		Cases      []survey.ElectionRow `json:"cases"`
		Initiators []survey.Wasted      `json:"initiators"`
	}
	held, err := measured(ctx, e, "elections", func(progress func(done, of int)) (both tables, err error) {
		if both.Cases, err = survey.Elections(ctx, all, b.config.Nodes, b.seed, progress); err == nil {
			both.Initiators, err = survey.Initiators(ctx, all, b.config.Nodes, b.seed)
		}
		return both, err
	})
	if err != nil {
		return err
	}
	return printed(e, "elect", b.json, held, func(w io.Writer) error {
		return errors.Join(survey.ElectionRows(held.Cases).WriteText(w), survey.WriteWasted(w, held.Initiators))
	}, cli.Interrupted(ctx, "%d cases are complete", len(held.Cases)))
}
