package report

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/internal/results/stat"
	"shmbench/report/rank"
	"shmbench/shm"
)

// Recommendation is what the results of a machine say about which lock to use in place of
// sync.Mutex. The terminal, the page and JSON print it as it is.
type Recommendation struct {
	Machine string `json:"machine"`
	File    string `json:"file"`
	// Lock is the lock to use. It is empty if evidence is missing, as the first sentence says.
	Lock string `json:"lock,omitempty"`
	// Sentences begin with the answer.
	Sentences []string `json:"sentences"`
	// Locks are Lock and the other locks that the sentences tell to use.
	Locks []string `json:"locks,omitempty"`
	// Conditions are facts about the machine and the run.
	Conditions string `json:"conditions"`

	traits []rank.Trait
}

// Recommendations has one element for each machine that was measured.
func (in *Input) Recommendations() (all []Recommendation) {
	main := in.main()
	for i, name := range headings(main) {
		rec := in.recommend(main[i])
		rec.Machine = name
		all = append(all, rec)
	}
	return all
}

// recommend decides from the evidence of a run which lock may be recommended, and says that
// there is none if evidence is missing.
func (in *Input) recommend(r *Run) Recommendation {
	rec := Recommendation{File: r.Path, Conditions: facts(r), traits: Traits(in.algorithms())}
	c := in.contest(r)
	base := c.lock(mutex)
	switch {
	case r.ranked.Noise != "":
		rec.Sentences = r.ranked.Answers()
		return rec
	case len(in.Specs) == 0:
		rec.none("the specifications of the locks are missing. shmbench list -json prints them.")
	case len(c.procs) == 0:
		rec.none("the run has %s. The charts have its figures.", r.noWork())
	case base == nil && slices.ContainsFunc(r.closed(), func(t rank.Table) bool { return in.has(t, mutex) }):
		rec.none("sync.Mutex was not measured, or has doubtful samples, with some number of processes.")
	case base == nil:
		rec.none("sync.Mutex was not measured, so nothing shows whether another lock is worth it. Measure baseline/mutex in the same run.")
		rec.fastest(c)
	case !base.judged():
		rec.none("a median needs %d samples or more for an interval, and sync.Mutex has fewer. Measure again, with the default number of samples.", stat.LeastForInterval)
	default:
		rec.instead(c, *base, r.cores())
	}
	if strings.HasPrefix(r.ranked.Quiet, rank.NotQuiet) {
		rec.say("%s", r.ranked.Quiet)
	}
	if without := in.doubtful(r); len(without) > 0 {
		rec.say("The comparison leaves out doubtful samples: %s. Measure for longer, or on a quiet machine.", strings.Join(without, "; "))
	}
	return rec
}

// algorithms are the specifications as they are in the catalog.
func (in *Input) algorithms() (all []shm.Algorithm) {
	for _, c := range in.Specs {
		all = append(all, c.Algorithm)
	}
	return all
}

func (rec *Recommendation) say(format string, args ...any) {
	rec.Sentences = append(rec.Sentences, fmt.Sprintf(format, args...))
}

func (rec *Recommendation) none(format string, args ...any) {
	rec.say("No recommendation: "+format, args...)
}
