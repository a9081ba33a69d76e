package check_test

// dijkstraBroken has broken forms for the lemmas of family dijkstra.
var dijkstraBroken = []brokenInvariant{
	{"dijkstra/knuth", "control", "mutants/knuth-keeps-control", 2, 6, "process 0 has control[0] = 2 in its remainder section"},
	{"dijkstra/debruijn", "control", "mutants/debruijn-keeps-control", 2, 6, "process 0 has control[0] = 2 in its remainder section"},
	{"dijkstra/eisenbergmcguire", "control", "mutants/eisenberg-keeps-control", 2, 7, "process 0 has control[0] = 2 in its remainder section"},
}
