package history

import "fmt"

// Consistent returns an error unless all histories are of the same run. It also
// returns an error if two files hold the history of the same process. The file
// names[k] holds the history all[k]. If oneClock is true, Consistent also requires
// that all times come from one known clock.
func Consistent(names []string, all []*History, oneClock bool) error {
	type process struct {
		clock     string
		node, pid int
	}
	file := map[process]int{}
	for k, h := range all {
		first, p := all[0].Processes[0], h.Processes[0]
		if p.Run != first.Run || p.Algorithm != first.Algorithm || p.Nodes != first.Nodes {
			return fmt.Errorf("%s is of run %s, %s, %d nodes, and %s is of run %s, %s, %d nodes: the judge takes the histories of one run",
				names[0], first.Run, first.Algorithm, first.Nodes, names[k], p.Run, p.Algorithm, p.Nodes)
		}
		for _, p := range h.Processes {
			key := process{p.Clock, int(p.Node), p.PID}
			if other, twice := file[key]; twice && other != k {
				return fmt.Errorf("%s and %s both hold the history of process %d of node %d: give each history once", names[other], names[k], p.PID, p.Node)
			}
			file[key] = k
			if oneClock && (p.Clock != first.Clock || p.Clock == "-") {
				return fmt.Errorf("%s and %s are not known to be of one machine: without -one-machine the judge compares no times", names[0], names[k])
			}
		}
	}
	return nil
}
