package distributed

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseTree returns the initial tree of n nodes that s names: binary, kary:K (each node has
// at most K children), path, or star. s may also list the parents of all nodes, such as
// "0,0,0,1". The root, here 0, is its own parent. ParseTree returns an error for any other
// s.
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

// ParseIDs returns the nodes that s lists, separated by commas, or an error.
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
