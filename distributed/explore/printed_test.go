package explore_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/explore"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
	"shmbench/internal/testkit/sample"
)

// The alien threads as the paper prints them, on the smallest systems that
// show what goes wrong; and the same systems repaired.
func TestAlienThreadsAsPrinted(t *testing.T) {
	for _, c := range []struct {
		printed, repaired        *distributed.Algorithm
		nodes, threads, requests int
		breaks                   explore.Property
		steps                    int // of the shortest trace
	}{
		{&alien.V1AsPrinted, &alien.V1, 2, 2, 2, explore.MutualExclusion, 14},
		{&alien.V1AsPrinted, &alien.V1, 3, 1, 2, explore.MutualExclusion, 12},
		{&alien.V1PiggybackAsPrinted, &alien.V1Piggyback, 2, 2, 2, explore.MutualExclusion, 12},
		{&alien.V1PiggybackAsPrinted, &alien.V1Piggyback, 3, 1, 2, explore.MutualExclusion, 11},
		{&alien.V2AsPrinted, &alien.V2, 2, 2, 1, explore.Deadlock, 13},
		{&alien.V2AsPrinted, &alien.V2, 2, 2, 2, explore.MutualExclusion, 14},
		{&alien.V2AsPrinted, &alien.V2, 3, 1, 2, explore.MutualExclusion, 12},
		{&alien.V2PiggybackAsPrinted, &alien.V2Piggyback, 2, 2, 1, explore.Deadlock, 12},
		{&alien.V2PiggybackAsPrinted, &alien.V2Piggyback, 2, 2, 2, explore.MutualExclusion, 12},
		{&alien.V2PiggybackAsPrinted, &alien.V2Piggyback, 3, 1, 2, explore.MutualExclusion, 11},
	} {
		m := explore.Model{Threads: c.threads, Requests: c.requests, FIFO: true}
		v := mustExplore(t, c.printed, c.nodes, m).Broken(c.breaks)
		require.NotNil(t, v, "%s must break %s", c.printed.Name, c.breaks)
		require.Len(t, v.Trace, c.steps)
		name := fmt.Sprintf("testdata/%s-%d-%d-%d", c.printed.Name, c.nodes, c.threads, c.requests)
		var text, diagram bytes.Buffer
		require.NoError(t, v.WriteText(&text))
		require.NoError(t, v.WriteMermaid(&diagram, c.nodes))
		golden(t, name+".txt", text.Bytes())
		golden(t, name+".mmd", diagram.Bytes())
		require.True(t, mustExplore(t, c.repaired, c.nodes, m).Holds())
	}
}

var update = flag.Bool("update", false, "write the golden traces anew")

// golden compares got with the file of the given name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, got, 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// One request a thread and one thread a node is what a first trial would
// exercise: there the printed algorithms hold.
func TestAlienThreadsAsPrintedHoldWhereNothingIsAskedTwice(t *testing.T) {
	for _, a := range []*distributed.Algorithm{&alien.V1AsPrinted, &alien.V1PiggybackAsPrinted, &alien.V2AsPrinted, &alien.V2PiggybackAsPrinted} {
		require.True(t, mustExplore(t, a, 3, explore.Model{Threads: 1, Requests: 1, FIFO: true}).Holds())
	}
}

// lecture finds an algorithm as a lecture states it.
func lecture(t *testing.T, name string) *distributed.Algorithm {
	t.Helper()
	all := slices.Concat(permission.Mutants, token.Mutants)
	at := slices.IndexFunc(all, func(a distributed.Algorithm) bool { return a.Name == name })
	require.GreaterOrEqual(t, at, 0)
	return &all[at]
}

// The lecture's statement of Suzuki and Kasami's release: a node that is in the
// token's queue twice gets the token when it wants nothing, and keeps it.
func TestLectureOnSuzukiKasami(t *testing.T) {
	sample.NeedsAll(t)
	lecture := lecture(t, "suzuki-kasami-lecture")
	m := explore.Model{Threads: 1, Requests: 2}
	v := mustExplore(t, lecture, 3, m).Broken(explore.Deadlock)
	require.NotNil(t, v)
	require.Len(t, v.Trace, 17)
	var text bytes.Buffer
	require.NoError(t, v.WriteText(&text))
	golden(t, "testdata/suzuki-kasami-lecture-3-1-2.txt", text.Bytes())
	require.True(t, mustExplore(t, &token.SuzukiKasami, 3, m).Holds(), "the paper's test, j not in Q, is what is missing")

	m.Requests = 1
	require.True(t, mustExplore(t, lecture, 3, m).Holds(), "one request a node does not show it")
	m.Requests = 2
	require.True(t, mustExplore(t, lecture, 2, m).Holds(), "nor do two nodes")
}

// The lecture's statement of Ricart and Agrawala's deferral, at its word.
func TestLectureOnRicartAgrawala(t *testing.T) {
	lecture := lecture(t, "ricart-agrawala-lecture")
	v := mustExplore(t, lecture, 2, explore.Model{Threads: 1, Requests: 1, FIFO: true}).Broken(explore.Deadlock)
	require.NotNil(t, v, "two with one timestamp must wait for each other")
	require.Len(t, v.Trace, 4)
	v = mustExplore(t, lecture, 3, explore.Model{Threads: 1, Requests: 1, FIFO: true}).Broken(explore.MutualExclusion)
	require.NotNil(t, v, "a node inside must reply once its clock has moved on")
	var text bytes.Buffer
	require.NoError(t, v.WriteText(&text))
	golden(t, "testdata/ricart-agrawala-lecture-3-1-1.txt", text.Bytes())
	require.True(t, mustExplore(t, &permission.RicartAgrawala, 3, explore.Model{Threads: 1, Requests: 1}).Holds())
}

// A lecture says that a timeout which comes too early lets two in: with timers at
// any time without a crash, and with one early expiry before and after it.
func TestEarlyTimeoutLetsTwoIn(t *testing.T) {
	a := find(t, "ricart-agrawala-timeout")
	m := explore.Model{Threads: 1, Requests: 1}
	v := mustExplore(t, a, 2, m).Broken(explore.MutualExclusion)
	require.NotNil(t, v)
	require.Len(t, v.Trace, 6)
	var text bytes.Buffer
	require.NoError(t, v.WriteText(&text))
	golden(t, "testdata/ricart-agrawala-timeout-2-1-1.txt", text.Bytes())
	m.Timing = explore.Timely
	require.True(t, mustExplore(t, a, 2, m).Holds())
	m.Faults.Early = 2
	require.NotNil(t, mustExplore(t, a, 2, m).Broken(explore.MutualExclusion))
	m.Faults = explore.Faults{Crash: 2}
	require.True(t, mustExplore(t, a, 3, m).Holds())
}

// With a reply to every request nothing is lost for good, comes twice or comes
// too early: not one of these, nor any two of them.
func TestRepliesSurviveLossAndDuplication(t *testing.T) {
	a := find(t, "ricart-agrawala-reply")
	for _, f := range []explore.Faults{{Lose: 2}, {Duplicate: 2}, {Lose: 1, Duplicate: 1}, {Lose: 1, Early: 1}, {Duplicate: 1, Early: 1}} {
		require.True(t, mustExplore(t, a, 2, explore.Model{Threads: 1, Requests: 2, Timing: explore.Timely, Faults: f}).Holds(), "%+v", f)
	}
}
