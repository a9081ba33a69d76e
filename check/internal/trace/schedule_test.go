package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/source"
	"shmbench/internal/testkit/sample"
)

// TestIsSchedule: a word that begins with a process is a schedule, and the name of a file is none.
func TestIsSchedule(t *testing.T) {
	for word, is := range map[string]bool{
		"0": true, "12": true, "0,1": true, "0:flush": true, "/0": true, "0/1": true, "0 , 1": true, "/0,x": true,
		"": false, "/": false, "x": false, "trace.json": false, "0.json": false, "0x": false, "//0": false, ",0": false, "-1": false, "a/0": false,
	} {
		require.Equal(t, is, IsSchedule(word), word)
	}
}

// TestParse: the turns of a schedule, and where its cycle begins.
func TestParse(t *testing.T) {
	plain := func(pids ...int) (turns []turnOf) {
		for _, pid := range pids {
			turns = append(turns, turnOf{string(rune('0' + pid)), pid, ""})
		}
		return turns
	}
	for _, c := range []struct {
		turns string
		want  []turnOf
		cycle int
	}{
		{"0", plain(0), -1},
		{"0,1,2", plain(0, 1, 2), -1},
		{" 0 , 1", plain(0, 1), -1},
		{"0,1/2,1", plain(0, 1, 2, 1), 2},
		{"/1,0", plain(1, 0), 0},
		{"0:flush,1:TryLock/1:true", []turnOf{{"0:flush", 0, "flush"}, {"1:TryLock", 1, "TryLock"}, {"1:true", 1, "true"}}, 2},
	} {
		turns, cycle, err := (&Schedule{N: 3, Turns: c.turns}).parse()
		require.NoError(t, err, c.turns)
		require.Equal(t, c.want, turns, c.turns)
		require.Equal(t, c.cycle, cycle, c.turns)
	}
	const form = ": write whose turn it is, as in 0,1,1, or 0:flush for a store buffer's"
	for turns, want := range map[string]string{
		"":       `turn 1 of the schedule is ""` + form,
		"0,":     `turn 2 of the schedule is ""` + form,
		"0/":     `turn 2 of the schedule is ""` + form,
		"/":      `turn 1 of the schedule is ""` + form,
		"0,,1":   `turn 2 of the schedule is ""` + form,
		"0,x":    `turn 2 of the schedule is "x"` + form,
		"0,1:":   `turn 2 of the schedule is "1:"` + form,
		"0/1,2/": `turn 3 of the schedule is "2/"` + form,
		"0,3":    `turn 2 of the schedule is "3": the processes are 0 to 2`,
		"0,1,-1": `turn 3 of the schedule is "-1": the processes are 0 to 2`,
	} {
		_, _, err := (&Schedule{N: 3, Turns: turns}).parse()
		require.EqualError(t, err, want, turns)
	}
}

// TestTurns: the schedule of a trace has a turn for each step, says what a process or its buffer
// does, and where the cycle begins. The steps of the trace are parsed again.
func TestTurns(t *testing.T) {
	steps := []execution.Step{{Process: 1, Op: "load"}, {Process: 0, Op: execution.Flush}, {Process: 1, Op: "call", After: "TryLock"}, {Process: 2, Op: "poll", After: "true"}}
	for _, c := range []struct {
		name  string
		trace Trace
		want  string
	}{
		{"no cycle", Trace{N: 3, Steps: steps, Cycle: -1}, "1,0:flush,1:TryLock,2:true"},
		{"the end is a cycle", Trace{N: 3, Steps: steps, Cycle: 2}, "1,0:flush/1:TryLock,2:true"},
		{"all is a cycle", Trace{N: 3, Steps: steps, Cycle: 0}, "/1,0:flush,1:TryLock,2:true"},
		{"crashes", Trace{N: 3, Steps: steps, Cycle: -1, Crashes: "any"}, ""},
		{"no step", Trace{N: 3, Cycle: -1}, ""},
	} {
		require.Equal(t, c.want, c.trace.Turns(), c.name)
		if c.want == "" {
			continue
		}
		turns, cycle, err := (&Schedule{N: 3, Turns: c.want}).parse()
		require.NoError(t, err, c.name)
		require.Equal(t, c.trace.Cycle, cycle, c.name)
		require.Len(t, turns, len(steps), c.name)
		for i, turn := range turns {
			require.Equal(t, steps[i].Process, turn.pid, c.name)
		}
	}
}

// TestScheduleOfActors: an explored trace has its actors as bytes.
func TestScheduleOfActors(t *testing.T) {
	require.Equal(t, []byte{0, 3, 1}, (&Trace{Actors: []int{0, 3, 1}}).Schedule())
	require.Empty(t, (&Trace{}).Schedule())
}

// TestReplayOfSchedule: the compiled code makes the accesses of a schedule, which becomes a trace.
// A trace whose accesses the code no longer makes is refused.
func TestReplayOfSchedule(t *testing.T) {
	sample.NeedsAll(t)
	origin := source.Origin{Package: "shmbench/tas", Constructor: "NewTAS"}
	var out strings.Builder
	trace, err := (&Schedule{Origin: origin, N: 2, TSO: true, Turns: "0,0,1/1"}).Replay(t.Context(), &out)
	require.NoError(t, err)
	require.Equal(t, trace.String()+`
The compiled code of tas/NewTAS(n, shm.Stores(0)) makes the same 103 accesses, 100 times around the cycle, and ends in the same way:
process 0 is in its remainder section, process 1 is in its entry section.
`, out.String())
	require.Equal(t, Trace{Origin: origin, N: 2, Memory: "tso", Unfenced: true, Cycle: 3}, Trace{Origin: trace.Origin, N: trace.N, Memory: trace.Memory, Unfenced: trace.Unfenced, Mixed: trace.Mixed, Cycle: trace.Cycle})
	require.Len(t, trace.Steps, 4)
	require.True(t, trace.Steps[1].Buffered)
	require.Equal(t, "true", trace.Steps[3].Before, "the store has not reached memory")
	require.NotEmpty(t, trace.Code)
	require.Equal(t, "0,0,1/1", trace.Turns())

	trace.Steps[2].Before = "false"
	require.ErrorContains(t, trace.Replay(t.Context(), &out), "the code has changed since the trace was written: step 3 is 1  swap busy: true at ")

	// A round that does not lead back to where it began: process 1 makes 51 passages.
	out.Reset()
	trace, err = (&Schedule{Origin: origin, N: 2, Turns: "0,0,1,1/1"}).Replay(t.Context(), &out)
	require.NoError(t, err)
	require.Len(t, trace.Steps, 5)
	require.Contains(t, out.String(), "makes the same 104 accesses, 100 times around the cycle, and ends in the same way:\nprocess 0 is in its remainder section, process 1 is in its remainder section.\n")
}

// TestScheduleErrors: the error says at which turn a schedule cannot go on.
func TestScheduleErrors(t *testing.T) {
	for _, c := range []struct {
		tso         bool
		turns, want string
	}{
		{false, "0,0:flush,1", `turn 2 of the schedule is "0:flush": no store of this lock goes through a store buffer; with -memory tso all do`},
		{true, "0,0,0", `turn 3 of the schedule is "0": process 0 waits until its buffer is empty`},
	} {
		var out strings.Builder
		_, err := (&Schedule{Origin: source.Origin{Package: "shmbench/tas", Constructor: "NewTAS"}, N: 2, TSO: c.tso, Turns: c.turns}).Replay(t.Context(), &out)
		require.ErrorContains(t, err, c.want)
		require.Empty(t, out.String())
	}
}

// TestInRounds: the steps of the cycle come a hundred times.
func TestInRounds(t *testing.T) {
	require.Equal(t, []int{0, 1, 2}, inRounds(3, -1))
	all := inRounds(3, 1)
	require.Len(t, all, 1+2*rounds)
	require.Equal(t, []int{0, 1, 2, 1, 2}, all[:5])
	require.Equal(t, []int{1, 2}, all[len(all)-2:])
}
