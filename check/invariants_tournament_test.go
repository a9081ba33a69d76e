package check_test

var tournamentBroken = []brokenInvariant{
	{"tournament/priority", "path", "NewPriorityTree", 2, 7, "process 0 is in its critical section and node[1].want[0] is down"},
	{"tournament/peterson", "path", "mutants/tournament-no-root", 3, 3, "process 0 is in its critical section and node[1].q[0] is down"},
	{"tournament/petersonbuhr", "path", "mutants/tournament-no-root", 4, 3, "process 0 is in its critical section and node[1].q[0] is down"},
	{"tournament/kessels", "path", "NewKesselsTree", 2, 5, "process 0 is in its critical section and node[1].q[0] is down"},
	{"tournament/tsay", "path", "NewTsayTree", 2, 5, "process 0 is in its critical section and node[1].want[0] is down"},
	{"tournament/doranthomas", "path", "NewDoranThomasTree", 2, 4, "process 0 is in its critical section and node[1].want[0] is down"},
	{"tournament/rwsafe", "path", "NewRWSafeTree", 2, 4, "process 0 is in its critical section and node[1].cc[0] is down"},
	{"tournament/zhangdary", "path", "NewOneBitTree", 2, 3, "process 0 is in its critical section and node[1].x[0] is down"},
}
