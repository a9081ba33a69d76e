package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"

	"shmbench/distributed"
	"shmbench/distributed/permission"
)

// shape reads the flags -tree and -quorums into c; an empty one leaves the
// choice to the algorithm.
func shape(a *distributed.Algorithm, c *distributed.Config, tree, quorums string) (err error) {
	switch {
	case tree != "" && !a.Tree:
		return fmt.Errorf("-tree %s: %s routes along no tree", tree, a.Name)
	case quorums != "" && !a.Quorums:
		return fmt.Errorf("-quorums %s: %s has no quorums", quorums, a.Name)
	}
	if name, file := strings.CutPrefix(tree, "file:"); file {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tree = strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), ",")
	}
	if tree != "" {
		if c.Parent, err = distributed.ParseTree(tree, c.Nodes); err != nil {
			return err
		}
	}
	if quorums != "" {
		c.Quorums, err = permission.ParseQuorums(quorums, c.Nodes)
	}
	return err
}
