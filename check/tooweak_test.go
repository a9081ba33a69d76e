package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/source"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// TestWeakModes: a specification that claims nothing of mixed passages is too weak where everything
// holds. A limit of passages cannot show starvation: a process that starves while others
// make that many passages starves forever only if they make more.
func TestWeakModes(t *testing.T) {
	always := []string{verdict.DeadlockFreedom + " with " + verdict.ExitProgress, verdict.ConcurrentReaders, verdict.WaitFreeTry, verdict.StrongTry, verdict.WaitFreeAbort}
	unlimited := []string{verdict.StarvationFreedom, verdict.ReaderStarvationFreedom}
	for passages, weak := range map[int][]string{0: append(unlimited, always...), 2: always} {
		var reports []*Report
		s := &source.Lock{Spec: &shm.Algorithm{MaxProcs: 3}, Mixed: true}
		for n := 2; n <= 3; n++ {
			r := newReport(s, n, nil)
			r.Modes = newModes([]shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until})
			r.Passages, r.Exhausted = passages, true
			r.setAll(Holds)
			reports = append(reports, r)
		}
		tooWeak(s, reports, Options{})
		var want []string
		for _, name := range weak {
			want = append(want, fmt.Sprintf("the specification is too weak: in all modes, %s holds for every n that was checked and is not claimed", name))
		}
		require.ElementsMatch(t, want, reports[1].Disagreements, "%d passages", passages)

		reports[0].Modes.StrongTry, reports[1].Disagreements = Violated, nil
		tooWeak(s, reports, Options{})
		require.NotContains(t, fmt.Sprint(reports[1].Disagreements), verdict.StrongTry, "it must hold for every n")
	}
}

// TestWeakBesideNarrowWords: a lock that has starvation freedom within a limit of passages needs the
// claim, unless its words, once they are narrow, lose starvation freedom or mutual exclusion.
func TestWeakBesideNarrowWords(t *testing.T) {
	for _, c := range []struct {
		name     string
		overflow *Overflow
		weak     bool
	}{
		{"no words grow", nil, true},
		{"nothing is lost", &Overflow{MutualExclusion: Holds, StarvationFreedom: Holds}, true},
		{"not decided", &Overflow{MutualExclusion: Unknown, StarvationFreedom: Unknown}, true},
		{"a process starves", &Overflow{MutualExclusion: Holds, StarvationFreedom: Violated}, false},
		{"two processes meet", &Overflow{MutualExclusion: Violated, StarvationFreedom: Holds}, false},
	} {
		var reports []*Report
		s := &source.Lock{Spec: &shm.Algorithm{MaxProcs: 3, Claims: shm.Claims{DeadlockFree: true}}}
		for n := 2; n <= 3; n++ {
			r := newReport(s, n, nil)
			r.Passages, r.Exhausted, r.Overflow = 2, true, c.overflow
			r.setAll(Holds)
			reports = append(reports, r)
		}
		tooWeak(s, reports, Options{})
		weak := slices.Contains(reports[1].Disagreements,
			"the specification is too weak: starvation freedom holds for every n that was checked and is not claimed")
		require.Equal(t, c.weak, weak, c.name)
	}
}
