package sample

import (
	"flag"
	"fmt"
)

// part is the value of -part.
var part division

func init() {
	flag.Var(&part, "part", "test the sample and, of everything, the Kth of N parts, written `K/N`; .ci/run does")
}

// division is one of several parts of everything: the kth of n, or none if n is 0.
type division struct{ k, n uint64 }

func (d *division) String() string {
	if d.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", d.k, d.n)
}

// Set reads a division, such as 2/4.
func (d *division) Set(text string) error {
	var k, n uint64
	if _, err := fmt.Sscanf(text+"\n", "%d/%d\n", &k, &n); err != nil || k < 1 || k > n {
		return fmt.Errorf("write a part and the number of parts, such as 2/4")
	}
	*d = division{k, n}
	return nil
}

// Divided reports whether -part is given.
func Divided() bool { return part.n > 0 }

// has reports whether the thing of this name is in the part. The lowest digits of the hash
// say whether it is in a sample, so others say which part it is in.
func (d division) has(name string) bool { return d.n > 0 && hash(name)>>32%d.n == d.k-1 }
