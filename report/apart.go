package report

import (
	"fmt"
	"strings"

	"shmbench/internal/cli/words"
	"shmbench/internal/results/stat"
	"shmbench/report/rank"
)

// sharp is the quotient of two machines' medians from which on the page warns.
const sharp = 5

// apart warns of sharp differences between machines, one sentence for each pair, and
// says what else the runs differ in.
func (in *Input) apart(main []*Run) (said []string) {
	names := headings(main)
	for i, a := range main {
		for j := i + 1; j < len(main); j++ {
			if text := sharpest(a, main[j], names[i], names[j]); text != "" {
				said = append(said, text+disturbed(a, main[j]))
			}
		}
	}
	return said
}

// sharpest is about the lock that two runs differ in most.
func sharpest(a, b *Run, first, second string) string {
	most, count, lock, procs := 1.0, 0, "", 0
	slower, faster := first, second
	for _, t := range a.closed() {
		u := withProcs(b.closed(), t.Workload.Procs)
		if u == nil || u.Workload != t.Workload {
			continue
		}
		for _, row := range t.Rows {
			for _, other := range u.Rows {
				x, y := row.All["sec/op"], other.All["sec/op"]
				if row.Algorithm != other.Algorithm || len(x) == 0 || len(y) == 0 || !row.Ranked || !other.Ranked {
					continue
				}
				q, from, to := stat.Summary(x).Center/stat.Summary(y).Center, first, second
				if q < 1 {
					q, from, to = 1/q, second, first
				}
				if q >= sharp {
					count++
				}
				if q > most {
					most, lock, procs, slower, faster = q, row.Algorithm, t.Workload.Procs, from, to
				}
			}
		}
	}
	if most < sharp {
		return ""
	}
	text := fmt.Sprintf("With %d processes, %s takes %s times as long on %s as on %s", procs, lock, number(most), slower, faster)
	if count > 1 {
		text += fmt.Sprintf("; %d medians differ %d times or more", count, sharp)
	}
	if different := differing(a, b); different != "" {
		return text + ". Do not attribute this to the machines: the runs also differ in " + different + "."
	}
	if cores := min(a.cores(), b.cores()); cores > 0 && procs > cores {
		return text + ". There are more processes than cores, so the operating system's scheduler decides these times."
	}
	return text + ". The runs have the same waiting policy, commit, Go release and pinning."
}

// disturbed says during which of two runs other programs had the machine.
func disturbed(a, b *Run) (said string) {
	for _, r := range []*Run{a, b} {
		if strings.HasPrefix(r.ranked.Quiet, rank.NotQuiet) {
			said += " " + rank.NotQuiet + " during " + r.Path + ", so other programs may explain the difference."
		}
	}
	return said
}

// differing lists the settings in which two runs differ, with the values of both.
func differing(a, b *Run) string {
	var said []string
	for _, c := range []struct{ key, word string }{{"wait", "waiting policy"}, {"commit", "commit"}, {"go", "Go release"}, {"pin", "pinning"}, {"gomaxprocs", "GOMAXPROCS"}} {
		if v, w := a.config(c.key), b.config(c.key); v != w && v != "" && w != "" {
			said = append(said, fmt.Sprintf("%s (%s, %s)", c.word, v, w))
		}
	}
	return words.Listed(said)
}
