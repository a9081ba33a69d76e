package playback_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/playback"
	"shmbench/distributed/scenario"
	"shmbench/distributed/token"
	"shmbench/internal/steps"
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

// A page shows the same of a document and of the value that was written to it.
func TestADocumentShowsTheSame(t *testing.T) {
	s, err := scenario.Shipped("ricart-agrawala")
	require.NoError(t, err)
	r, err := s.Play()
	require.NoError(t, err)
	x := explored(t)
	var now, read steps.List
	require.True(t, playback.AddPlayed(&now, r))
	require.True(t, playback.AddExplored(&now, x))
	document := func(v, into any) {
		b, err := json.Marshal(v)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, into))
	}
	r2, x2 := new(explore.Played), new(explore.Exploration)
	document(r, r2)
	document(x, x2)
	require.Equal(t, x.Timing, x2.Timing)
	require.True(t, playback.AddPlayed(&read, r2))
	require.True(t, playback.AddExplored(&read, x2))
	require.Equal(t, now, read)
	for k, section := range []string{"inside", "crashed"} {
		require.True(t, slices.ContainsFunc(now[k].Steps, func(s steps.Step) bool { return s.Acts[0].Section == section }), section)
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
		var l steps.List
		require.True(t, playback.AddPlayed(&l, &c.played))
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
		var l steps.List
		require.True(t, playback.AddPlayed(&l, &explore.Played{Nodes: 2, Panels: []explore.Panel{{Name: "first", Events: []explore.Event{c.event, c.event}}}}))
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
	var l steps.List
	var events []explore.Event
	for _, state := range []string{"token=0 queue=[1 2]", "token=0 queue=[2]", "token=3 queue=[2]"} {
		events = append(events, explore.Event{What: "deliver", Node: 1, State: state})
	}
	require.True(t, playback.AddPlayed(&l, &explore.Played{Nodes: 2, Panels: []explore.Panel{{Events: events}}}))
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

func TestWhatNoPageShows(t *testing.T) {
	event := explore.Event{What: "request", Node: 1, Text: "asks"}
	played := func(nodes int, events ...explore.Event) bool {
		return playback.AddPlayed(new(steps.List), &explore.Played{Nodes: nodes, Panels: []explore.Panel{{Events: events}}})
	}
	require.True(t, played(2, event))
	require.False(t, played(1, event), "there is no node 1")
	require.False(t, played(2), "no event")
	require.False(t, played(0))
	require.False(t, played(steps.MostColumns+1, event))

	found := func(x *explore.Exploration) bool { return playback.AddExplored(new(steps.List), x) }
	violations := func(loop int) *explore.Exploration {
		return &explore.Exploration{Nodes: 2, Result: &explore.Result{Violations: []explore.Violation{{Trace: []explore.Event{event}, Loop: loop}}}}
	}
	require.True(t, found(violations(-1)))
	require.True(t, found(violations(0)))
	require.False(t, found(violations(1)), "a loop behind the end")
	require.False(t, found(violations(-2)))
	require.False(t, found(&explore.Exploration{Nodes: 2}), "no result")

	require.Error(t, json.Unmarshal([]byte(`{"timing": "never"}`), new(explore.Exploration)))
}
