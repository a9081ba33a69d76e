package main

import (
	"errors"
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
	"shmbench/internal/cli"
)

// shapeForms are the values of -shape.
const shapeForms = "binary, kary:K, path, star, the parents of a tree as in 0,0,0,1, file:NAME with these, plane, grid, tree, quorums as in 0,1;1,2;2,0, or server"

// shapeFlag is -shape.
func shapeFlag(fs *flag.FlagSet, shape *string) {
	fs.StringVar(shape, "shape", "", "the initial tree: binary, kary:K, path, star, each node's parent as in 0,0,0,1, or file:NAME with these (default binary); "+
		"or the quorums of maekawa: plane, grid, tree, or by hand as in 0,1;1,2;2,0 (default a plane where there is one, else a grid); or server: node 0 of central only serves")
}

// A kind of shape is what -shape describes.
type kindOfShape int

const (
	noShape kindOfShape = iota
	ofTree
	ofQuorums
	ofServer
)

// kindOf returns what a value of -shape describes.
func kindOf(shape string) (kindOfShape, error) {
	word, _, _ := strings.Cut(shape, ":")
	switch word {
	case "":
		return noShape, nil
	case "server":
		return ofServer, nil
	case "plane", "grid", "tree":
		return ofQuorums, nil
	case "binary", "kary", "path", "star", "file":
		return ofTree, nil
	}
	switch {
	case strings.Contains(shape, ";"):
		return ofQuorums, nil
	case strings.Trim(shape, "0123456789, ") == "":
		return ofTree, nil
	}
	return noShape, fmt.Errorf("-shape %s: it is %s", shape, shapeForms)
}

// takes reports whether the nodes of a have such a shape.
func (k kindOfShape) takes(a *distributed.Algorithm) bool {
	return k == noShape || k == ofTree && a.Tree || k == ofQuorums && a.Quorums || k == ofServer && a.Server
}

// String is what a shape describes, as an error says it.
func (k kindOfShape) String() string { return [...]string{"", "a tree", "quorums", "a server"}[k] }

// leaseFlag is -lease; leased refuses it where permissions last forever.
func leaseFlag(fs *flag.FlagSet, lease *int, ticks int) {
	fs.IntVar(lease, "lease", ticks, "ticks that a permission lasts, of the algorithms that take it back then")
	cli.Between(fs, "lease", 1, distributed.MaxLease, "the lease")
}

func leased(fs *flag.FlagSet, a *distributed.Algorithm) error {
	if a.Lease {
		return nil
	}
	return cli.Refuse(fs, a.Name+" has permissions without a time limit", "lease")
}

// nodesLimit limits -nodes.
func nodesLimit(fs *flag.FlagSet, most int) { cli.Between(fs, "nodes", 2, most, "the number of nodes") }

// probability limits a flag to probabilities.
func probability(fs *flag.FlagSet, name string) {
	cli.Between(fs, name, 0.0, 1.0, "the probability")
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

// shape reads the flag -shape into c; an empty one leaves the choice to the algorithm.
func shape(a *distributed.Algorithm, c *distributed.Config, text string) error {
	kind, err := kindOf(text)
	switch {
	case err != nil:
		return err
	case !kind.takes(a):
		return fmt.Errorf("-shape %s: %s does not have %v", text, a.Name, kind)
	case kind == ofServer:
		c.Server = true
	case kind == ofQuorums:
		c.Quorums, err = permission.ParseQuorums(text, c.Nodes)
	case kind == ofTree:
		var list string
		if list, err = treeText(text); err == nil {
			c.Parent, err = distributed.ParseTree(list, c.Nodes)
		}
	}
	for _, what := range []string{"tree", "quorums"} {
		if err == nil {
			break
		}
		if rest, ok := strings.CutPrefix(err.Error(), fmt.Sprintf("%s %q: ", what, text)); ok {
			err = errors.New(rest)
		}
	}
	return cli.OfValue("shape", text, err)
}

// treeText returns what -shape names, with the parents that a file has in place of
// its name.
func treeText(tree string) (string, error) {
	name, file := strings.CutPrefix(tree, "file:")
	if !file {
		return tree, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("-shape %s: %w", tree, err)
	}
	const wants = "it has the parent of each node, as in 0 0 0 1"
	parents := strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(parents) == 0 {
		return "", fmt.Errorf("-shape %s: the file is empty; %s", tree, wants)
	}
	for _, p := range parents {
		if _, err := strconv.Atoi(p); err != nil {
			return "", fmt.Errorf("-shape %s: %q is no node; %s", tree, p, wants)
		}
	}
	return strings.Join(parents, ","), nil
}
