package main

import (
	"fmt"

	"shmbench/dist"
)

// shape reads the flags -tree and -quorums into c; an empty one leaves the
// choice to the algorithm.
func shape(a *dist.Algorithm, c *dist.Config, tree, quorums string) (err error) {
	switch {
	case tree != "" && !a.Tree:
		return fmt.Errorf("-tree %s: %s routes along no tree", tree, a.Name)
	case quorums != "" && !a.Quorums:
		return fmt.Errorf("-quorums %s: %s has no quorums", quorums, a.Name)
	}
	if tree != "" {
		if c.Parent, err = dist.ParseTree(tree, c.Nodes); err != nil {
			return err
		}
	}
	if quorums != "" {
		c.Quorums, err = dist.ParseQuorums(quorums)
	}
	return err
}
