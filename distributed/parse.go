package distributed

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseTree returns the initial tree of n nodes that s names: binary, kary:K (each node has
// at most K children), path, or star. A list such as "0,0,0,1" has the parents of all nodes;
// the root, 0 here, is its own parent.
func ParseTree(s string, n int) ([]ID, error) {
	switch s {
	case "binary":
		return CompleteTree(n), nil
	case "path":
		return Path(n), nil
	case "star":
		return make([]ID, n), nil
	}
	if k, named := strings.CutPrefix(s, "kary:"); named {
		children, err := strconv.Atoi(k)
		if err != nil || children < 1 {
			return nil, fmt.Errorf("tree %q: kary:K wants a number of children of at least 1, as in kary:3", s)
		}
		return KaryTree(n, children), nil
	}
	parent, err := ParseIDs(s)
	if err != nil {
		return nil, fmt.Errorf("tree %q: it is binary, kary:K, path, star, or a list of parents such as 0,0,0,1", s)
	}
	if len(parent) != n {
		return nil, fmt.Errorf("a tree of %d parents for %d nodes", len(parent), n)
	}
	return parent, CheckTree(parent)
}

// ParseQuorums returns the quorums that s lists, one a node, separated by
// semicolons, as in "0,1;1,2;2,0". Whether they intersect is for the
// algorithm to check.
func ParseQuorums(s string) ([][]ID, error) {
	var quorums [][]ID
	for _, q := range strings.Split(s, ";") {
		ids, err := ParseIDs(q)
		if err != nil {
			return nil, fmt.Errorf("quorums %q: lists of nodes separated by semicolons, such as 0,1;1,2;2,0", s)
		}
		quorums = append(quorums, ids)
	}
	return quorums, nil
}

// ParseIDs returns the nodes that s lists, separated by commas.
func ParseIDs(s string) ([]ID, error) {
	var ids []ID
	for _, f := range strings.Split(s, ",") {
		v, err := strconv.ParseInt(strings.TrimSpace(f), 10, 32)
		if err != nil {
			return nil, err
		}
		ids = append(ids, ID(v))
	}
	return ids, nil
}
