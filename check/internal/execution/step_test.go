package execution

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// TestWhat: the text of each operation, with the label of its line before it and what it does to
// the section behind it, and whether it sets its register in memory.
func TestWhat(t *testing.T) {
	for _, c := range []struct {
		step Step
		want string
		sets bool
	}{
		{Step{Op: "pass"}, "passes", false},
		{Step{Op: "pass", Label: "3", Turn: "enters"}, "3  passes [enters]", false},
		{Step{Op: "call", After: "TryLock"}, "calls TryLock", false},
		{Step{Op: "poll", After: "true"}, "giveUp() = true", false},
		{Step{Op: "load", Register: "a", Before: "1", After: "1"}, "a = 1", false},
		{Step{Op: "load", Plain: true, Register: "a", Before: "1", Label: "2"}, "2  plain a = 1", false},
		{Step{Op: "load", Register: "a", Before: "1", May: []string{"0", "1"}}, "a = 1 (overlaps a write: 0 or 1)", false},
		{Step{Op: "begin", Register: "a", Before: "0", After: "1"}, "a := 1 begins", false},
		{Step{Op: "end", Register: "a", Before: "1", After: "1"}, "a := 1 ends", true},
		{Step{Op: "end", Register: "a", Before: "1", After: "7"}, "a := 1 ends, leaves 7", true},
		{Step{Op: "store", Register: "a", Before: "0", After: "1", Turn: "is done"}, "a := 1 [is done]", true},
		{Step{Op: "store", Register: "a", Before: "0", After: "1", Buffered: true}, "a := 1", false},
		{Step{Op: "store-release", Register: "a", Before: "0", After: "1"}, "a := 1", true},
		{Step{Op: Flush, Register: "a", Before: "0", After: "1"}, "a := 1 is in memory", true},
		{Step{Op: "swap", Register: "a", Before: "0", After: "1"}, "swap a: 0 -> 1", true},
		{Step{Op: "swap", Register: "a", Before: "1", After: "1"}, "swap a: 1", true},
		{Step{Op: "compare-and-swap", Register: "a", Before: "0", After: "1"}, "compare-and-swap a: 0 -> 1", true},
		{Step{Op: "compare-and-swap", Register: "a", Before: "1", After: "1"}, "compare-and-swap a: 1", false},
	} {
		require.Equal(t, c.want, c.step.What())
		require.Equal(t, c.sets, c.step.Sets(), c.want)
	}
	require.Equal(t, "swap a: 0 to 1", Step{Op: "swap", Register: "a", Before: "0", After: "1", Label: "3", Turn: "enters"}.Effect("to"))
}

// TestCrashed: a crash says where the process was. Its section does not change by a step of the lock,
// so neither a label nor a turn is added.
func TestCrashed(t *testing.T) {
	for _, c := range []struct {
		step Step
		want string
	}{
		{Step{Op: CrashAll, Label: "3", Before: interp.Critical.String()}, "all processes crash"},
		{Step{Op: Crash, Label: "3", Before: interp.Critical.String()}, "crashes in its critical section"},
		{Step{Op: Crash, Before: interp.Exit.String(), Turn: "is done"}, "crashes in its exit section"},
		{Step{Op: Crash, Label: "3", Before: interp.Entry.String(), Turn: "fails"}, "crashes before 3"},
	} {
		require.Equal(t, c.want, c.step.What())
		require.Equal(t, c.want, c.step.Effect("->"))
	}
}

// TestPlace: a step without a line has no place.
func TestPlace(t *testing.T) {
	require.Equal(t, "tas/tas.go:1", Step{File: "tas/tas.go", Line: 1}.Place())
	require.Empty(t, Step{File: "tas/tas.go"}.Place())
}

// TestActor: the actor of a step is its process with what it decides, its buffer, or what crashes it.
func TestActor(t *testing.T) {
	all := explore.Actors{N: 3, Parties: 6, Count: 12}
	one := explore.Actors{N: 3, Parties: 4, Count: 4, Crashing: true}
	for _, c := range []struct {
		step Step
		all  explore.Actors
		want int
		is   explore.Actor
	}{
		{Step{Process: 2, Op: "load"}, all, 2, explore.Actor{Pid: 2}},
		{Step{Process: 2, Op: "call", Outcome: 1}, all, 8, explore.Actor{Pid: 2, Outcome: 1}},
		{Step{Process: 1, Op: Flush}, all, 4, explore.Actor{Kind: explore.Buffer, Pid: 1}},
		{Step{Process: 2, Op: Crash}, explore.Actors{N: 3, Parties: 6, Count: 6, Crashing: true}, 5, explore.Actor{Kind: explore.CrashOf, Pid: 2}},
		{Step{Process: 2, Op: CrashAll}, one, 3, explore.Actor{Kind: explore.CrashOf}},
	} {
		require.Equal(t, c.want, c.step.Actor(c.all))
		require.Equal(t, c.is, c.all.Of(c.want))
	}
}

// TestTurn: what a step from one section to another means to a process.
func TestTurn(t *testing.T) {
	const r, e, c, x, v = interp.Remainder, interp.Entry, interp.Critical, interp.Exit, interp.Recovery
	for _, step := range []struct {
		before, after interp.Section
		want          string
	}{
		{r, r, ""}, {r, e, ""}, {r, v, ""}, {v, e, ""}, {e, e, ""}, {c, c, ""}, {x, x, ""},
		{r, c, "enters"}, {e, c, "enters"}, {v, c, "enters"},
		{e, r, "fails"}, {x, r, "is done"}, {c, r, "is done"}, {c, x, "leaves"},
	} {
		require.Equal(t, step.want, Turn(step.before, step.after), "%v to %v", step.before, step.after)
	}
}
