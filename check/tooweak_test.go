package check

import (
	"fmt"
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
