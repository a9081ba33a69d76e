package check

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// TestWeakModes: a card that claims nothing of mixed passages is too weak where all holds,
// but for what a limit of passages cannot show: who starves while others make so many
// starves for ever only with more.
func TestWeakModes(t *testing.T) {
	always := []string{DeadlockFreedom + " with " + ExitProgress, ConcurrentReaders, WaitFreeTry, StrongTry, WaitFreeAbort}
	unlimited := []string{StarvationFreedom, ReaderStarvationFreedom}
	for passages, weak := range map[int][]string{0: append(unlimited, always...), 2: always} {
		var reports []*Report
		s := &lock{card: &shm.Algorithm{MaxProcs: 3}, mixed: true}
		for n := 2; n <= 3; n++ {
			r := newReport(s, n, nil)
			r.Modes = newModes([]shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until})
			r.Passages, r.Exhausted = passages, true
			r.setAll(Holds)
			reports = append(reports, r)
		}
		s.tooWeak(reports)
		var want []string
		for _, name := range weak {
			want = append(want, fmt.Sprintf("the card is too weak: in all modes, %s holds for every n that was checked and is not claimed", name))
		}
		require.ElementsMatch(t, want, reports[1].Disagreements, "%d passages", passages)

		reports[0].Modes.StrongTry, reports[1].Disagreements = Violated, nil
		s.tooWeak(reports)
		require.NotContains(t, fmt.Sprint(reports[1].Disagreements), StrongTry, "it must hold for every n")
	}
}
