package check_test

var fastBroken = []brokenInvariant{
	{"fast/lamport", "open", "mutants/fast-lamport-y-kept", 2, 6, "all processes are in their remainder sections, and y = 1"},
	{"fast/triangle", "open", "mutants/triangle-y-kept", 2, 11, "all processes are in their remainder sections, and f.y = 1"},
	{"fast/andersonkim", "open", "mutants/andersonkim-y-kept", 2, 19, "all processes are in their remainder sections, and y = 0"},
}
