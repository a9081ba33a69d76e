// Package peterson holds Peterson's family of read/write locks: three two-process locks, from
// deadlock freedom to bounded waiting; the n-process filter, which has the same idea; and
// two-process locks that tell by other registers which process was last.
package peterson

import (
	"fmt"

	"shmbench/shm"
)

// lectureNotes is the source of the two-process locks that lead up to the
// tournament tree; the notes date them to Peterson, 1981.
var lectureNotes = shm.Source{
	Author: "after Gary L. Peterson",
	Title:  "Algorithms for Concurrent Distributed Systems: The Mutual Exclusion Problem",
	Venue:  "lecture notes",
	Year:   1981,
}

// myths is the source of the two locks that Peterson published.
var myths = shm.Source{
	Author: "Gary L. Peterson",
	Title:  "Myths About the Mutual Exclusion Problem",
	Venue:  "Information Processing Letters 12(3)",
	Year:   1981,
	Page:   "115-116",
}

// wants are the states of want in the analysis of the lecture notes: want[i] is
// set while process i is in its critical or exit section, on the given lines of
// its entry section, and on line 1 if it has come back there; it is not set
// while the process waits on line 2.
func wants(lines ...string) func(v shm.View) error {
	return func(v shm.View) error {
		for i := range v.N() {
			set := v.Section(i) == shm.Critical || v.Section(i) == shm.Exit ||
				v.Section(i) != shm.Remainder && v.At(i, "1")
			for _, line := range lines {
				set = set || v.At(i, line)
			}
			if want := v.Bool("want", i); want != set {
				return fmt.Errorf("process %d has want[%d] = %v in its %v section", i, i, want, v.Section(i))
			}
		}
		return nil
	}
}
