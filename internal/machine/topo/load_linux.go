package topo

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of /proc/stat on every platform of Linux.
const tick = 10 * time.Millisecond

var statFile = "/proc/stat"

func readTimes() Times {
	t := Times{at: time.Now()}
	f, err := os.Open(statFile)
	if err != nil {
		return t
	}
	defer f.Close()
	// cpu  user nice system idle iowait irq softirq steal guest guest_nice
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 9 || !strings.HasPrefix(words[0], "cpu") {
			continue
		}
		if words[0] != "cpu" {
			t.cpus++
			continue
		}
		for _, i := range []int{1, 2, 3, 6, 7} {
			t.busy += ticks(words[i])
		}
		t.stolen = ticks(words[8])
		t.known = true
	}
	for _, whose := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var r unix.Rusage
		if unix.Getrusage(whose, &r) != nil {
			t.known = false
		}
		t.own += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return t
}

func ticks(word string) time.Duration {
	n, _ := strconv.ParseInt(word, 10, 64)
	return time.Duration(n) * tick
}

// MHz returns the frequencies at which the slowest and the fastest processor run now. It
// returns 0 if the machine does not tell, as virtual ones do not.
func MHz() (slowest, fastest float64) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(cpuDir), "cpu[0-9]*/cpufreq/scaling_cur_freq"))
	for _, file := range files {
		kHz, err := strconv.ParseFloat(read(file), 64)
		if err != nil {
			continue
		}
		now := kHz / 1e3
		if slowest == 0 || now < slowest {
			slowest = now
		}
		fastest = max(fastest, now)
	}
	return slowest, fastest
}
