package report

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/internal/cli/words"
)

// conclusion is what the results of a machine come to.
type conclusion struct {
	Recommendation
	Links   links    // to the locks that the sentences recommend
	Answers []answer // none if there is too much noise
	Others  links    // to the other locks that the answers recommend
}

// conclusions has one element for each main run.
func (in *Input) conclusions() (all []conclusion) {
	main := in.main()
	for i, rec := range in.Recommendations() {
		c := conclusion{Recommendation: rec, Links: in.links(rec.Locks, links{})}
		if main[i].ranked.Noise == "" {
			c.Answers = in.answers(main[i])
		}
		var names []string
		for _, a := range c.Answers {
			names = append(names, a.Locks...)
		}
		c.Others = in.links(names, c.Links)
		all = append(all, c)
	}
	return all
}

// facts are the conditions of the conclusion.
func facts(r *Run) string {
	said := []string{r.saidWork()}
	if pin := r.config("pin"); pin != "" && pin != "false" {
		said = append(said, "processes pinned to "+pin)
	}
	if quiet, _, _ := strings.Cut(strings.TrimPrefix(r.ranked.Quiet, "The machine was "), ":"); quiet != "" {
		said = append(said, "the machine was "+quiet)
	} else {
		said = append(said, "whether the machine was quiet is not recorded")
	}
	for _, c := range []struct{ key, word string }{{"wait", "waiting policy "}, {"governor", "governor "}, {"commit", "commit "}, {"go", ""}} {
		if v := r.config(c.key); v != "" && v != "unknown" {
			said = append(said, c.word+v)
		}
	}
	if n := r.cores(); n > 0 {
		said = slices.Insert(said, 0, words.Counted(n, "core", "cores"))
	}
	said = append(said, "file "+r.Path)
	if r.file.Incomplete != "" {
		said = append(said, r.file.Incomplete)
	}
	return strings.Join(said, "; ")
}

// doubtful names the locks that have no rank with some numbers of processes, with these
// numbers.
func (in *Input) doubtful(r *Run) (said []string) {
	var names []string
	counts := map[string][]int{}
	for _, t := range r.closed() {
		for _, row := range t.Rows {
			name := in.base(row.Algorithm)
			if row.Ranked || slices.Contains(counts[name], t.Workload.Procs) {
				continue
			}
			if counts[name] == nil {
				names = append(names, name)
			}
			counts[name] = append(counts[name], t.Workload.Procs)
		}
	}
	for _, name := range names {
		said = append(said, name+" with "+numbers(counts[name]))
	}
	return said
}

// numbers lists numbers of processes: "2 and 8 processes".
func numbers(procs []int) string {
	last := len(procs) - 1
	each := []string{}
	for _, n := range procs[:last] {
		each = append(each, fmt.Sprint(n))
	}
	return words.Listed(append(each, words.Counted(procs[last], "process", "processes")))
}
