package check_test

var tournamentBroken = []brokenInvariant{
	{"tournament/petersonbuhr", "path", "mutants/tournament-no-root", 4, 3, "process 0 is in its critical section and node[1].q[0] is down"},
}
