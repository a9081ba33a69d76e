package playback_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/playback"
	"shmbench/distributed/scenario"
	"shmbench/distributed/token"
	"shmbench/internal/page/steps"
)

// explored is Raymond's algorithm with a crash, after which a thread waits forever.
func explored(t *testing.T) *explore.Exploration {
	t.Helper()
	nodes, err := token.Raymond.New(distributed.Config{Nodes: 2, Threads: 1})
	require.NoError(t, err)
	m := explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1, Timing: explore.Ticks, Faults: explore.Faults{Crash: 1}}
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	return &explore.Exploration{Algorithm: "raymond", Nodes: 2, Threads: 1, Requests: 1, Timing: m.Timing, Faults: m.Faults, Result: r}
}

// A page of a worked example shows the node in its critical section. A page of violations shows the node that has crashed.
func TestSections(t *testing.T) {
	s, err := scenario.Shipped("ricart-agrawala")
	require.NoError(t, err)
	r, err := s.Play()
	require.NoError(t, err)
	for section, l := range map[string]steps.List{"inside": playback.Played(r), "crashed": playback.Explored(explored(t))} {
		require.NotEmpty(t, l)
		require.True(t, slices.ContainsFunc(l[0].Steps, func(s steps.Step) bool { return s.Acts[0].Section == section }), section)
	}
}

// A worked example has its title, its source and the command that replays it. Without a name
// there is no command.
func TestHeadOfAWorkedExample(t *testing.T) {
	panels := []explore.Panel{{Name: "first", Events: []explore.Event{{What: "request", Node: 1, Text: "asks"}}}}
	for _, c := range []struct {
		played               explore.Played
		title, says, command string
	}{
		{explore.Played{Name: "two"}, "two", "", "dmesim replay two"},
		{explore.Played{Name: "two", Title: "Two ask", Source: "a book"}, "Two ask", "a book", "dmesim replay two"},
		{explore.Played{Title: "Two ask", Source: "a book", Failed: "no token"}, "Two ask", "Not as it should be: no token", ""},
	} {
		c.played.Nodes, c.played.Panels = 2, panels
		l := playback.Played(&c.played)
		require.Len(t, l, 1)
		require.Equal(t, []string{c.title, c.says, c.command}, []string{l[0].Title, l[0].Says, l[0].Command})
	}
}

// A step says what its node does and sends, and in which section its process is after it.
func TestActs(t *testing.T) {
	message := distributed.Message{Kind: distributed.Request, From: 1, To: 0, Who: 1}
	for _, c := range []struct {
		event explore.Event
		act   steps.Act
	}{
		{explore.Event{What: "request", Text: "asks"}, steps.Act{Text: "asks"}},
		{explore.Event{What: "request", Text: "asks", Sent: []distributed.Message{message}}, steps.Act{Text: "asks; sends 1 → 0 request"}},
		{explore.Event{What: "deliver", Text: "gets", Sent: []distributed.Message{message, message}}, steps.Act{Text: "gets; sends 1 → 0 request, 1 → 0 request"}},
		{explore.Event{What: "deliver", Text: "gets", Granted: []distributed.Thread{0}}, steps.Act{Text: "gets", Turn: "enters", Section: "inside"}},
		{explore.Event{What: "timer", Text: "ends", Revoked: []distributed.Thread{0}}, steps.Act{Text: "ends", Turn: "must leave", Section: "outside"}},
		{explore.Event{What: "release", Text: "leaves"}, steps.Act{Text: "leaves", Turn: "leaves", Section: "outside"}},
		{explore.Event{What: "crash", Text: "crashes"}, steps.Act{Text: "crashes", Section: "crashed"}},
		{explore.Event{What: "recover", Text: "restarts"}, steps.Act{Text: "restarts", Section: "up again"}},
	} {
		c.event.Node, c.act.By = 1, 1
		c.event.Way = []distributed.Message{message}
		l := playback.Played(&explore.Played{Nodes: 2, Panels: []explore.Panel{{Name: "first", Events: []explore.Event{c.event, c.event}}}})
		require.Len(t, l[0].Steps, 2)
		for k, part := range []string{"first", ""} {
			require.Equal(t, part, l[0].Steps[k].Part)
			require.Equal(t, []steps.Act{c.act}, l[0].Steps[k].Acts)
			require.Equal(t, []string{"1 → 0 request"}, l[0].Steps[k].Under)
		}
	}
}

// A step shows the variables of its node whose values have changed.
func TestChangedVariables(t *testing.T) {
	var events []explore.Event
	for _, state := range []string{"token=0 queue=[1 2]", "token=0 queue=[2]", "token=3 queue=[2]"} {
		events = append(events, explore.Event{What: "deliver", Node: 1, State: state})
	}
	l := playback.Played(&explore.Played{Nodes: 2, Panels: []explore.Panel{{Events: events}}})
	var shown [][]string
	for _, s := range l[0].Steps {
		var sets []string
		for _, x := range s.Sets {
			require.Equal(t, 1, x.By)
			sets = append(sets, l[0].Cells[x.Cell].Name+"="+x.Value)
		}
		shown = append(shown, sets)
	}
	require.Equal(t, [][]string{{"1.token=0", "1.queue=[1 2]"}, {"1.queue=[2]"}, {"1.token=3"}}, shown)
}

// A page of an example without an event, or of no violation, has lists of nothing, which its script needs.
func TestNothingToShow(t *testing.T) {
	l := playback.Played(&explore.Played{Name: "two", Nodes: 2})
	require.Len(t, l, 1)
	require.NotNil(t, l[0].Steps)
	require.NotNil(t, l[0].Cells)
	require.Empty(t, playback.Explored(&explore.Exploration{Nodes: 2, Result: new(explore.Result)}))
}
