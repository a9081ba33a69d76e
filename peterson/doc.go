// Package peterson holds Peterson's family of read/write locks: three
// two-process locks, from deadlock freedom to bounded waiting, and the
// n-process filter built on the same idea.
package peterson

import "shmbench/shm"

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
