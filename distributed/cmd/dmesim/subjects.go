package main

import (
	"flag"
	"fmt"
	"regexp"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/election"
	"shmbench/distributed/mutants"
	"shmbench/internal/cli"
)

// A subject is what a verb can be about: either a mutual exclusion
// algorithm or an election.
type subject struct {
	name, title string
	algorithm   *distributed.Algorithm
	election    *election.Algorithm
	mutant      bool
}

// The kinds of subjects.
const (
	algorithms = 1 << iota
	elections
	broken // mutants, of the kinds above
)

func subjects(kinds int) cli.Named[subject] {
	l := cli.Named[subject]{Kind: "algorithm", Name: func(s subject) string { return s.name }, List: "dmesim list shows the names", Elsewhere: otherSubject}
	add := func(of int, s subject) {
		if kinds&of == of {
			l.All = append(l.All, s)
		}
	}
	for _, a := range catalog.All {
		add(algorithms, subject{name: a.Name, title: a.Title, algorithm: a})
	}
	for _, a := range election.All {
		add(elections, subject{name: a.Name, title: a.Title, election: a})
	}
	for _, m := range mutants.All {
		kind := algorithms
		if m.Election != nil {
			kind = elections
		}
		add(kind|broken, subject{m.Name, m.Flaw, m.Algorithm, m.Election, true})
	}
	return l
}

// otherSubject says which verb takes a name that the present verb does not take.
func otherSubject(re *regexp.Regexp) string {
	for _, a := range election.All {
		if re.MatchString(a.Name) {
			return a.Name + " is an election: dmesim elect simulates it"
		}
	}
	for _, a := range catalog.All {
		if re.MatchString(a.Name) {
			return a.Name + " is no election: dmesim run simulates it"
		}
	}
	return ""
}

// chooser is the flag -alg of a verb.
type chooser struct {
	from cli.Named[subject]
	alg  string
}

// chooseOne declares the flags of a verb about one subject, chooseSome those
// of a verb about several.
func chooseOne(fs *flag.FlagSet, kinds int) *chooser {
	c := &chooser{from: subjects(kinds)}
	fs.StringVar(&c.alg, "alg", "", "the `name` of the algorithm")
	return c
}

func chooseSome(fs *flag.FlagSet, kinds int) *chooser {
	c := &chooser{from: subjects(kinds)}
	cli.AlgFlag(fs, &c.alg)
	return c
}

func (c *chooser) one() (subject, error) {
	if c.alg == "" {
		return subject{}, fmt.Errorf("no algorithm: give -alg; %s", c.from.List)
	}
	x, err := c.from.Get(c.alg)
	if err != nil {
		err = fmt.Errorf("-alg %w", err)
	}
	return x, err
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
