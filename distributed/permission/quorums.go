package permission

import (
	"fmt"
	"strings"

	"shmbench/distributed"
)

// Quorums returns a quorum for each of n nodes, each holding its own node and
// any two sharing one: the lines of a projective plane where n = q²+q+1 for a
// prime power q, and else the rows and columns of a grid.
func Quorums(n int) [][]distributed.ID {
	if quorums := Plane(n); quorums != nil {
		return quorums
	}
	return Grid(n)
}

// Grid arranges n nodes row by row in a square, whose last row may be short. It returns each
// node's row and column. For any two nodes, one is in a full row, which the other one's
// column meets, or both are in the last row.
func Grid(n int) [][]distributed.ID {
	side := 1
	for side*side < n {
		side++
	}
	quorums := make([][]distributed.ID, n)
	for i := range n {
		row, column := i/side, i%side
		for j := range n {
			if j/side == row || j%side == column {
				quorums[i] = append(quorums[i], distributed.ID(j))
			}
		}
	}
	return quorums
}

// ParseQuorums returns the quorums of n nodes that s names: plane, grid, tree, or
// lists by hand, one a node, as in
// "0,1;1,2;2,0". It does not check that they intersect.
func ParseQuorums(s string, n int) ([][]distributed.ID, error) {
	switch s {
	case "plane":
		if q := Plane(n); q != nil {
			return q, nil
		}
		return nil, fmt.Errorf("no projective plane of %d points: there is one of q²+q+1, q a prime power: 7, 13, 21, 31, 57, 73 …", n)
	case "grid":
		return Grid(n), nil
	case "tree":
		return Paths(n), nil
	}
	var quorums [][]distributed.ID
	for list := range strings.SplitSeq(s, ";") {
		q, err := distributed.ParseIDs(list)
		if err != nil {
			return nil, fmt.Errorf("quorums %q: they are plane, grid, tree, or lists of nodes separated by semicolons, such as 0,1;1,2;2,0", s)
		}
		quorums = append(quorums, q)
	}
	return quorums, nil
}

// CheckQuorums reports in one plain line what keeps quorums from serving n
// nodes: a quorum a node, of nodes that there are, any two sharing one.
func CheckQuorums(quorums [][]distributed.ID, n int) error {
	if len(quorums) != n {
		return fmt.Errorf("%d quorums for %d nodes: one a node", len(quorums), n)
	}
	words := (n + 63) / 64
	sets := make([]uint64, n*words)
	for i, q := range quorums {
		if len(q) == 0 {
			return fmt.Errorf("the quorum of node %d is empty", i)
		}
		for _, j := range q {
			if j < 0 || int(j) >= n {
				return fmt.Errorf("the quorum of node %d has node %d, which is none of 0..%d", i, j, n-1)
			}
			word, bit := i*words+int(j)/64, uint64(1)<<(j%64)
			if sets[word]&bit != 0 {
				return fmt.Errorf("the quorum of node %d has node %d twice", i, j)
			}
			sets[word] |= bit
		}
	}
	for i := range n {
		for j := range i {
			a, b := sets[i*words:(i+1)*words], sets[j*words:(j+1)*words]
			if !meet(a, b) {
				return fmt.Errorf("the quorums of nodes %d and %d do not intersect: %v and %v", j, i, quorums[j], quorums[i])
			}
		}
	}
	return nil
}

// meet reports whether two sets of equal length share an element.
func meet(a, b []uint64) bool {
	for k := range a {
		if a[k]&b[k] != 0 {
			return true
		}
	}
	return false
}
