package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"shmbench/distributed"
	"shmbench/distributed/permission"
	"shmbench/distributed/several"
	"shmbench/distributed/sim"
	"shmbench/internal/cli"
)

// shapeFlags are -tree and -quorums.
func shapeFlags(fs *flag.FlagSet, tree, quorums *string) {
	treeFlag(fs, tree)
	fs.StringVar(quorums, "quorums", "", "the quorums of maekawa: plane, grid, tree (paths; agrawal-el-abbadi replaces those that fail), or by hand as in 0,1;1,2;2,0 (default a plane where there is one, else a grid)")
}

func treeFlag(fs *flag.FlagSet, tree *string) {
	fs.StringVar(tree, "tree", "", "initial tree of the algorithms that have one: binary, kary:K, path, star, each node's parent as in 0,0,0,1, or file:NAME with these (default binary)")
}

func serverFlag(fs *flag.FlagSet, server *bool) {
	fs.BoolVar(server, "server", false, "nothing is asked for at node 0 of central, which only serves")
}

// leaseFlag is -lease; leased refuses it where permissions last for ever.
func leaseFlag(fs *flag.FlagSet, lease *int, ticks int) {
	fs.IntVar(lease, "lease", ticks, "ticks that a permission lasts, of the algorithms that take it back then")
	cli.Between(fs, "lease", 1, distributed.MaxLease, "the lease")
}

func leased(fs *flag.FlagSet, a *distributed.Algorithm) error {
	if a.Lease {
		return nil
	}
	return cli.Refuse(fs, a.Name+" lets a permission last for ever", "lease")
}

// nodesLimit limits -nodes.
func nodesLimit(fs *flag.FlagSet, most int) { cli.Between(fs, "nodes", 2, most, "the number of nodes") }

// probability limits a flag to probabilities.
func probability(fs *flag.FlagSet, name string) {
	cli.Between(fs, name, 0.0, 1.0, "the probability")
}

// meanTimes limits flags with the mean times between faults.
func meanTimes(fs *flag.FlagSet, names ...string) {
	for _, name := range names {
		cli.Between(fs, name, 0, sim.LongestTime, "the mean time")
	}
}

func threadsFlag(fs *flag.FlagSet, threads *string) {
	fs.StringVar(threads, "threads", "1", "threads a node, or those of each node as in 3,1,2")
}

// populate puts the threads of the flag -threads into c. If they move each node
// has room for all.
func populate(c *distributed.Config, threads string, move bool) error {
	var counts []int
	for word := range strings.SplitSeq(threads, ",") {
		k, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return fmt.Errorf("-threads %s: %q is not a whole number; it is one number, or one of each node as in 3,1,2", threads, word)
		}
		counts = append(counts, k)
	}
	if c.Threads = counts[0]; len(counts) == 1 && !move {
		return nil
	}
	if len(counts) == 1 && c.Nodes >= 1 && c.Nodes <= distributed.MaxNodes {
		counts = slices.Repeat(counts, c.Nodes)
	}
	if c.Present, c.Threads = counts, slices.Max(counts); !move {
		return nil
	}
	c.Threads = 0
	for _, k := range counts {
		if c.Threads += k; k < 1 {
			return fmt.Errorf("%d threads a node: at least 1", k)
		}
	}
	return nil
}

func resourcesFlag(fs *flag.FlagSet, resources *int) {
	fs.IntVar(resources, "resources", 1, "how many resources; each request is for one, a thread's for one after the other")
	cli.Between(fs, "resources", 1, 64, "the number of resources")
}

// ofResources returns a for so many resources.
func ofResources(a *distributed.Algorithm, resources int) (*distributed.Algorithm, error) {
	if resources == 1 {
		return a, nil
	}
	return several.Algorithm(a, resources, several.InTurn(resources)), nil
}

// shape reads the flags -tree and -quorums into c; an empty one leaves the
// choice to the algorithm.
func shape(a *distributed.Algorithm, c *distributed.Config, tree, quorums string) (err error) {
	switch {
	case tree != "" && !a.Tree:
		return fmt.Errorf("-tree %s: %s routes along no tree", tree, a.Name)
	case quorums != "" && !a.Quorums:
		return fmt.Errorf("-quorums %s: %s takes none", quorums, a.Name)
	}
	list, err := treeText(tree)
	if err != nil {
		return err
	}
	if list != "" {
		if c.Parent, err = distributed.ParseTree(list, c.Nodes); err != nil {
			return cli.OfValue("tree", tree, err)
		}
	}
	if quorums != "" {
		if c.Quorums, err = permission.ParseQuorums(quorums, c.Nodes); err != nil {
			return cli.OfValue("quorums", quorums, err)
		}
	}
	return nil
}

// treeText returns what -tree names, with the parents that a file has in place of
// its name.
func treeText(tree string) (string, error) {
	name, file := strings.CutPrefix(tree, "file:")
	if !file {
		return tree, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("-tree %s: %w", tree, err)
	}
	const wants = "it has the parent of each node, as in 0 0 0 1"
	parents := strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(parents) == 0 {
		return "", fmt.Errorf("-tree %s: the file is empty; %s", tree, wants)
	}
	for _, p := range parents {
		if _, err := strconv.Atoi(p); err != nil {
			return "", fmt.Errorf("-tree %s: %q is no node; %s", tree, p, wants)
		}
	}
	return strings.Join(parents, ","), nil
}

// someRoute refuses a tree along which none of the chosen routes.
func someRoute(chosen []*distributed.Algorithm, tree string) error {
	if tree != "" && !slices.ContainsFunc(chosen, func(a *distributed.Algorithm) bool { return a.Tree }) {
		return fmt.Errorf("-tree %s: none of the algorithms routes along a tree", tree)
	}
	return nil
}
