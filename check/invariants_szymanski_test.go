package check_test

var szymanskiBroken = []brokenInvariant{
	{"szymanski/flag", "flag", "mutants/szymanski-never-lowers", 2, 6, "process 0 has flag[0] = 4 in its remainder section"},
	{"szymanski/buhr", "flag", "mutants/szymanski-never-lowers", 2, 6, "process 0 has flag[0] = 4 in its remainder section"},
	{"szymanski/bits", "bits", "mutants/szymanski-bits-intent-lost", 2, 13, "process 0 has 2 of its bits set in its critical section"},
	{"szymanski/mended", "bits", "mutants/mended-keeps-s", 2, 10, "process 0 has a, w, s = false, false, true in its remainder section"},
}
