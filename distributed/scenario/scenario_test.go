package scenario_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/mutants"
	"shmbench/distributed/scenario"
	"shmbench/distributed/verify"
	"shmbench/internal/testkit/sample"
)

// Every shipped example goes as its figure says, panel by panel.
func TestShipped(t *testing.T) {
	names := scenario.Names()
	require.Len(t, names, 10)
	for _, name := range names {
		s, err := scenario.Shipped(name)
		require.NoError(t, err)
		require.NotEmpty(t, s.Title, name)
		require.NotEmpty(t, s.Source, name)
		r, err := s.Play()
		require.NoError(t, err)
		require.Empty(t, r.Failed, name)
		require.GreaterOrEqual(t, r.Checks, 10, name)
		require.Len(t, r.Panels, len(s.Panels), name)
		var text, diagram bytes.Buffer
		require.NoError(t, r.WriteText(&text))
		require.NoError(t, r.WriteMermaid(&diagram))
		require.True(t, strings.HasPrefix(diagram.String(), "sequenceDiagram\n"))
		for _, p := range r.Panels {
			require.Contains(t, text.String(), "\n"+p.Name+"  "+p.Words+"\n")
			require.Contains(t, diagram.String(), p.Name+" "+p.Words)
		}
	}
	_, err := scenario.Shipped("nope")
	require.EqualError(t, err, `no scenario "nope"; dmesim list shows the names, and a file's has a / or a dot`)
}

// Whatever a shipped example says must be true is looked at: with any of it
// changed the example fails.
func TestEveryCheckCanFail(t *testing.T) {
	for _, name := range scenario.Names() {
		text := scenario.Source(name)
		lines := strings.Split(text, "\n")
		for k, l := range lines {
			word, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
			wrong := ""
			switch word {
			case "sends", "state":
				wrong = word + " " + rest + "!"
			case "way":
				wrong = map[bool]string{true: "way 0>1 grant lock=9", false: "way " + rest + "!"}[rest == "nothing"]
			case "silent":
				wrong = "enters 0"
			case "enters", "breaks":
				wrong = "silent"
			case "inside", "waits":
				wrong = map[bool]string{true: word + " 1", false: word + " nobody"}[rest == "nobody"]
			case "follows":
				wrong = word + " " + rest[:2] + "2"
			case "stuck":
				wrong = "inside 1"
			default:
				continue
			}
			changed := append([]string(nil), lines...)
			changed[k] = wrong
			s, err := scenario.Parse(name, strings.Join(changed, "\n"))
			if err != nil { // a line of a group that cannot stand there
				continue
			}
			r, err := s.Play()
			require.NoError(t, err)
			require.NotEmpty(t, r.Failed, "%s:%d: %q for %q", name, k+1, wrong, l)
		}
	}
}

// A step that breaks safety must be said to.
func TestBreaks(t *testing.T) {
	text := "alg central-grants-at-once\nnodes 3\npanel 1\nask 1\nask 2\ndeliver 1>0\ndeliver 2>0\ndeliver 0>1\ndeliver 0>2\n"
	s, err := scenario.Parse("x", text)
	require.NoError(t, err)
	r, err := s.Play()
	require.NoError(t, err)
	require.Equal(t, "x, panel 1: mutual exclusion is broken: thread 0 of node 2 enters while thread 0 of node 1 is in its critical section", r.Failed)
	for more, want := range map[string]string{
		"breaks mutual exclusion\n":          "",
		"breaks mutual exclusion\nleave 1\n": "x:11, panel 1: mutual exclusion is broken: thread 0 of node 2 enters while thread 0 of node 1 is in its critical section; nothing goes on after that",
		"breaks deadlock freedom\n":          "x:10, panel 1: mutual exclusion is broken, and not deadlock freedom",
		"ask 0\nbreaks mutual exclusion\n":   "x:10, panel 1: mutual exclusion is broken: thread 0 of node 2 enters while thread 0 of node 1 is in its critical section; nothing goes on after that",
	} {
		s, err := scenario.Parse("x", text+more)
		require.NoError(t, err)
		r, err := s.Play()
		require.NoError(t, err)
		require.Equal(t, want, r.Failed)
	}
}

// The trace of any violation that the explorer finds can be written as a scenario,
// and goes the same way when it is replayed.
func TestTracesAreScenarios(t *testing.T) {
	written := 0
	var locks, elections []*mutants.Mutant
	for k := range mutants.All {
		switch m := &mutants.All[k]; {
		case m.Breaks == "" || m.First:
		case m.Election != nil:
			elections = append(elections, m)
		default:
			locks = append(locks, m)
		}
	}
	some := sample.Of(t, locks, func(m *mutants.Mutant) string { return m.Name }, 4)
	for _, m := range append(some, elections...) {
		model, err := m.Model()
		require.NoError(t, err)
		r, err := explore.Explore(context.Background(), model)
		require.NoError(t, err)
		v := r.Broken(m.Breaks)
		if v == nil {
			continue
		}
		system := scenario.System{Algorithm: m.Name, Nodes: len(model.Nodes), Threads: model.Threads, Requests: model.Requests, Lines: []string{"timing " + model.Timing.String()}}
		if !model.FIFO {
			system.Lines = append(system.Lines, "order any")
		}
		if m.Algorithm != nil && m.Algorithm.Lease {
			system.Lines = append(system.Lines, fmt.Sprint("lease ", verify.Lease))
		}
		var text bytes.Buffer
		require.NoError(t, scenario.WriteViolation(&text, system, v))
		s, err := scenario.Parse(m.Name, text.String())
		require.NoError(t, err, text.String())
		played, err := s.Play()
		require.NoError(t, err)
		require.Empty(t, played.Failed, text.String())
		var events []explore.Event
		for _, p := range played.Panels {
			events = append(events, p.Events...)
		}
		require.Equal(t, v.Trace, events)
		written++
	}
	require.Greater(t, written, 15)
}

func TestRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                       "f: no algorithm: write alg NAME",
		"alg central\nnodes 3":                   "f: no panel: write panel NAME and its events",
		"alg centrl":                             `f:1: alg centrl: no algorithm "centrl"; dmesim list shows the names`,
		"nodes 7":                                `f:1: nodes 7: "7": a whole number from 2 to 6`,
		"melt 3":                                 "f:1: melt 3: neither a property of the system nor a panel",
		"melt \x1b[2J":                           `f:1: "melt \x1b[2J": neither a property of the system nor a panel`,
		"nodes 3\nnodes 4":                       "f:2: nodes 4: it is said already",
		"panel a":                                "f:1: panel a: say before with which algorithm: alg NAME",
		"timing late":                            "f:1: timing late: it is any, timely or ticks",
		"order lifo":                             "f:1: order lifo: it is fifo or any",
		"alg central\nnodes 3\nclock 3 1":        `f:3: clock 3 1: "3" is no node: they are 0 to 2`,
		"alg central\nnodes 3\npanel a\nmelt 3":  "f:4: melt 3: neither an event nor what must be true; go doc shmbench/distributed/scenario lists both",
		"alg central\nnodes 3\npanel a\nask 3":   `f:4: ask 3: "3" is no node: they are 0 to 2`,
		"alg central\nnodes 3\npanel a\nask 0.1": `f:4: ask 0.1: "1" is no thread: they are 0 to 0`,
		"alg central\nnodes 3\npanel a\ndeliver 1":         `f:4: deliver 1: "1": write the sender and the receiver, as in 0>1`,
		"alg central\nnodes 3\npanel a\nsilent":            "f:4: silent: it follows the event that does it",
		"alg central\nnodes 3\npanel a\nask 1; crash 0":    "f:4: ask 1; crash 0: after ; write crash and after how many sends",
		"alg central\nnodes 3\npanel a\nask 1\nsilent now": "f:5: silent now: it stands alone",
	} {
		_, err := scenario.Parse("f", text)
		require.EqualError(t, err, says, text)
	}
	for text, says := range map[string]string{
		"alg central\nnodes 3\ntree path\npanel a":            "f: central routes along no tree",
		"alg central\nnodes 3\nclock 0 3\npanel a":            "f: central has no clock to set",
		"alg raymond\nnodes 3\ntree 0,2,1\npanel a":           "f: the tree has a cycle: node 1 never reaches the root 0",
		"alg central\nnodes 6\nthreads 3\npanel a":            "f: 3 threads on each of 6 nodes: the explorer takes 1 to 12 threads in all",
		"alg central\nnodes 3\nlocks 2\nneeds 0 1,1\npanel a": "f: thread 0 of node 0 needs lock 1 twice",
		"alg raymond\nnodes 3\nquorums grid\npanel a":         "f: raymond takes no quorums",
	} {
		s, err := scenario.Parse("f", text)
		require.NoError(t, err, text)
		_, err = s.Play()
		require.EqualError(t, err, says, text)
	}
	for text, failed := range map[string]string{
		"alg central\nnodes 3\npanel a\nask 1\nask 1":       "f:5, panel a: that cannot happen here",
		"alg central\nnodes 3\npanel a\ndeliver 0>1":        "f:4, panel a: that cannot happen here",
		"alg central\nnodes 3\npanel a\nrestart 1":          "f:4, panel a: that cannot happen here",
		"alg token-ring\nnodes 3\npanel a\ndeliver all":     "f:4, panel a: messages go on forever: after 20000 some are under way",
		"alg central\nnodes 3\npanel a\nask 1\nfollows 1 2": "f:5, panel a: node 1 takes part in no election",
	} {
		s, err := scenario.Parse("f", text)
		require.NoError(t, err, text)
		r, err := s.Play()
		require.NoError(t, err, text)
		require.Equal(t, failed, r.Failed, text)
	}
}

// The numbers of a system have a least and a greatest value.
func TestNumbersOfASystem(t *testing.T) {
	for _, c := range []struct {
		line        string // with %d for the number
		least, most int
	}{
		{"nodes %d", 2, 6},
		{"threads %d", 1, 12},
		{"requests %d", 0, 255},
		{"locks %d", 1, 16},
		{"resources %d", 1, 16},
		{"present 1,%d", 1, 12},
		{"lease %d", 1, distributed.MaxLease},
		{"nodes 3\nclock 2 %d", 0, 1 << 30},
		{"nodes 3\nlocks 4\nneeds 2 1,%d", 0, 3},
		{"nodes 3\npanel b\nexpire 2 %d", 0, 255},
	} {
		for value, ok := range map[int]bool{c.least - 1: false, c.least: true, c.most: true, c.most + 1: false} {
			_, err := scenario.Parse("f", "alg central\n"+fmt.Sprintf(c.line, value)+"\npanel a")
			if ok {
				require.NoError(t, err, "%s: %d", c.line, value)
			} else {
				require.ErrorContains(t, err, fmt.Sprintf(`"%d": a whole number from %d to %d`, value, c.least, c.most), c.line)
			}
		}
	}
}

// Whatever a file has in it, it is answered in one line or played.
func FuzzScenario(f *testing.F) {
	for _, name := range scenario.Names() {
		f.Add(scenario.Source(name))
	}
	f.Add("alg token-ring-two-tokens\nnodes 2\npanel a\ndeliver all\ncut 1\nheal\ntick\ncrash 0\nrestart 0\nlose 0>1\ncopy 1>0\nexpire 0 1\nbreaks x")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := scenario.Parse("f", text)
		if err == nil {
			var r *explore.Played
			if r, err = s.Play(); err == nil {
				require.NoError(t, r.WriteText(&bytes.Buffer{}))
				require.NoError(t, r.WriteMermaid(&bytes.Buffer{}))
				return
			}
		}
		require.NotContains(t, err.Error(), "\n")
	})
}
