package spin_test

import (
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
	"shmbench/shm/spin"
)

func TestUntilReturnsWhenTheConditionHolds(t *testing.T) {
	for _, name := range spin.PolicyNames() {
		t.Run(name, func(t *testing.T) {
			p, err := spin.ParsePolicy(name)
			require.NoError(t, err)
			require.Equal(t, name, p.String())
			defer spin.Use(spin.InUse())
			spin.Use(p)
			require.Equal(t, p, spin.InUse())

			var there atomic.Bool
			polls := 0
			go there.Store(true)
			spin.Until(func() bool { polls++; return there.Load() && polls > 100 })
			require.True(t, there.Load())
			require.Greater(t, polls, 100)
		})
	}
}

func TestParsePolicyNamesThePolicies(t *testing.T) {
	_, err := spin.ParsePolicy("spin")
	require.EqualError(t, err, `unknown waiting policy "spin": the policies are `+strings.Join(spin.PolicyNames(), ", "))
}

// Every wait of every lock must be compiled to a loop with the condition in
// it: a call of Until, or of the condition, would be paid on each passage.
func TestUntilIsInlinedWithItsCondition(t *testing.T) {
	sample.NeedsAll(t)
	packages := []string{"bakery", "peterson", "tas", "cas", "locks/queue"}
	untils := regexp.MustCompile(`spin\.Until\(func`)
	inlined := regexp.MustCompile(`(?m)^(.*:\d+):\d+: inlining call to spin\.Until$`)
	conditions := regexp.MustCompile(`(?m)^(.*:\d+):\d+: inlining call to .*\.func\d+$`)
	for _, pkg := range packages {
		source, err := exec.Command("sh", "-c", "cat ../../"+pkg+"/*.go").Output()
		require.NoError(t, err)
		report, err := exec.Command("go", "build", "-gcflags=-m", "../../"+pkg).CombinedOutput()
		require.NoError(t, err, "%s", report)

		waits := len(untils.FindAll(source, -1))
		require.NotZero(t, waits, pkg)
		require.Len(t, inlined.FindAll(report, -1), waits, "%s: calls of spin.Until left in the code", pkg)
		require.Len(t, conditions.FindAll(report, -1), waits, "%s: conditions left as closures", pkg)
	}
}

// The two benchmarks must cost the same. They count to b.N because b.Loop
// keeps the compiler from inlining what its body calls.
func BenchmarkUntilThatHolds(b *testing.B) {
	var busy atomic.Bool
	for range b.N {
		spin.Until(func() bool { return !busy.Load() })
	}
}

func BenchmarkHandWrittenLoopThatHolds(b *testing.B) {
	var busy atomic.Bool
	for range b.N {
		for busy.Load() {
			spin.Pause()
		}
	}
}

func BenchmarkPause(b *testing.B) {
	for _, p := range []spin.Policy{spin.PauseYield, spin.Busy, spin.Paused, spin.Yielding, spin.Turns} {
		b.Run("wait="+p.String(), func(b *testing.B) {
			defer spin.Use(spin.InUse())
			spin.Use(p)
			for b.Loop() {
				spin.Pause()
			}
		})
	}
}
