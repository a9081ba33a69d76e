package main

import (
	"flag"
	"fmt"
	"io"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/election"
	"shmbench/distributed/mutants"
	"shmbench/internal/cli"
)

// A subject is what a dist verb can be about: either a mutual exclusion
// algorithm or an election.
type subject struct {
	name, title string
	algorithm   *distributed.Algorithm
	election    *election.Algorithm
}

// The kinds of subjects.
const (
	algorithms = 1 << iota
	elections
	broken // mutants, of the kinds above
)

func subjects(kinds int) cli.Named[subject] {
	l := cli.Named[subject]{Kind: "algorithm", Name: func(s subject) string { return s.name }, List: "-list shows the names"}
	add := func(of int, s subject, note string) {
		if s.title += note; kinds&of == of {
			l.All = append(l.All, s)
		}
	}
	for _, a := range catalog.All {
		add(algorithms, subject{a.Name, a.Title, a, nil}, "")
	}
	for _, a := range election.All {
		add(elections, subject{a.Name, a.Title, nil, a}, " (election)")
	}
	for _, m := range mutants.All {
		kind := algorithms
		if m.Election != nil {
			kind = elections
		}
		add(kind|broken, subject{m.Name, m.Flaw, m.Algorithm, m.Election}, " (mutant)")
	}
	return l
}

// chooser is the flags -alg and -list of a dist verb.
type chooser struct {
	fs   *flag.FlagSet
	from cli.Named[subject]
	alg  string
	list bool
}

// chooseOne declares the flags of a verb about one subject, chooseSome those
// of a verb about several.
func chooseOne(fs *flag.FlagSet, kinds int) *chooser {
	c := &chooser{fs: fs, from: subjects(kinds)}
	fs.StringVar(&c.alg, "alg", "", "the `name` of the algorithm")
	fs.BoolVar(&c.list, "list", false, "list the names and end")
	return c
}

func chooseSome(fs *flag.FlagSet, kinds int) *chooser {
	c := &chooser{fs: fs, from: subjects(kinds)}
	cli.AlgFlag(fs, &c.alg)
	fs.BoolVar(&c.list, "list", false, "list the names and end")
	return c
}

// onlyList refuses flags beside -list.
func onlyList(fs *flag.FlagSet) error {
	return cli.Only(fs, "-list lists the names, and does nothing else", "list")
}

func (c *chooser) one() (subject, error) {
	if c.alg == "" {
		return subject{}, fmt.Errorf("no algorithm: give -alg; %s", c.from.List)
	}
	return c.from.Get(c.alg)
}

// mutexes returns the mutual exclusion algorithms among the chosen.
func (c *chooser) mutexes() ([]*distributed.Algorithm, error) {
	chosen, err := c.from.Match(c.alg)
	var all []*distributed.Algorithm
	for _, s := range chosen {
		if s.algorithm != nil {
			all = append(all, s.algorithm)
		}
	}
	return all, err
}

func (c *chooser) writeList(w io.Writer) error {
	if err := onlyList(c.fs); err != nil {
		return err
	}
	for _, s := range c.from.All {
		if _, err := fmt.Fprintf(w, "%-34s %s\n", s.name, s.title); err != nil {
			return err
		}
	}
	return nil
}
