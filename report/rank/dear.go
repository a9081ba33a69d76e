package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// dearFrom is the multiple of its own atomic operations from which on it is worth
// asking what else a lock does.
const dearFrom = 1.2

// Dear is an expensive lock: uncontended, it takes longer than its own atomic operations do one by
// one, without what the harness takes.
type Dear struct {
	Algorithm string
	Times     float64 // as a multiple of its operations
	More      float64 // than these, in ns
}

// Dear returns the locks that take more than 1.2 times their own atomic operations, the most
// expensive first. Only a table of one process has any, and only with the null lock.
func (t Table) Dear() []Dear {
	var dear []Dear
	for _, row := range t.Rows {
		times, counted := row.Values["atomics/op"]
		harness, measured := row.Values["overhead-sec"]
		if !counted || !measured || !row.Ranked {
			continue
		}
		own := row.NS.Center / times
		more := row.NS.Center - harness*1e9 - own
		if 1+more/own > dearFrom {
			dear = append(dear, Dear{row.Algorithm, 1 + more/own, more})
		}
	}
	slices.SortFunc(dear, func(a, b Dear) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Algorithm, b.Algorithm))
	})
	return dear
}

// expensive names them in a sentence, which is empty if there are none.
func (t Table) expensive() string {
	dear := t.Dear()
	if len(dear) == 0 {
		return ""
	}
	said := make([]string, len(dear))
	for i, d := range dear {
		said[i] = fmt.Sprintf("%s %.2f (%s ns more)", d.Algorithm, d.Times, number(d.More))
	}
	return fmt.Sprintf("More than %.1f times their own atomics, less the null lock: %s.", dearFrom, strings.Join(said, ", "))
}
