package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/explore"
)

// playing is a scenario under way.
type playing struct {
	*explore.Player
	s      *Scenario
	last   *explore.Event
	broken explore.Property // that the last event broke
	why    string
	told   bool // the break was said
}

// check reports what is not as the words say.
type check func(p *playing, words string) error

var checks = map[string]check{
	"breaks": (*playing).breaks, "inside": (*playing).inside, "waits": (*playing).waits, "way": (*playing).way,
	"state": (*playing).state, "follows": (*playing).follows, "stuck": (*playing).stuck,
}

// Play plays s. Its error says that the system cannot be built; what goes
// otherwise than said is in the result.
func (s *Scenario) Play() (*explore.Played, error) {
	m, err := s.model()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	player, err := explore.NewPlayer(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	r := &explore.Played{Name: s.Name, Title: s.Title, Source: s.Source, Algorithm: s.name(), Nodes: s.nodes}
	p := &playing{Player: player, s: s}
	for _, panel := range s.Panels {
		r.Panels = append(r.Panels, explore.Panel{Name: panel.Name, Words: panel.Words, Events: []explore.Event{}, Inside: []string{}})
		err := p.play(panel, r)
		at := &r.Panels[len(r.Panels)-1]
		for _, q := range p.Inside() {
			at.Inside = append(at.Inside, fmt.Sprintf("%d.%d", q.Node, q.Thread))
		}
		for i := range distributed.ID(s.nodes) {
			at.States = append(at.States, p.State(i))
		}
		if err != nil {
			r.Failed = err.Error()
			return r, nil
		}
	}
	return r, nil
}

func (s *Scenario) name() string {
	if s.election != nil {
		return s.election.Name
	}
	return s.algorithm.Name
}

func (p *playing) play(panel Panel, r *explore.Played) error {
	at := &r.Panels[len(r.Panels)-1]
	for _, l := range panel.lines {
		if err := p.line(l, at); err != nil {
			return fmt.Errorf("%s:%d, panel %s: %w", p.s.Name, l.number, panel.Name, err)
		}
		if l.check != nil || l.did != nil {
			r.Checks++
		}
	}
	return p.over(panel)
}

func (p *playing) line(l line, at *explore.Panel) error {
	switch {
	case l.event != nil:
		return p.take(*l.event, at)
	case l.did != nil:
		return p.did(l.did)
	case l.check != nil:
		return l.check(p, l.words)
	}
	for range maxLines {
		way := p.UnderWay()
		if len(way) == 0 {
			return nil
		}
		if err := p.take(explore.Step{What: "deliver", Node: way[0].From, To: way[0].To, Message: way[0].Label()}, at); err != nil {
			return err
		}
	}
	return fmt.Errorf("messages go on forever: after %d some are under way", maxLines)
}

// over reports a break that the panel's last event made and the panel does not name.
func (p *playing) over(panel Panel) error {
	if p.broken != "" && !p.told {
		return fmt.Errorf("%s, panel %s: %s is broken: %s", p.s.Name, panel.Name, p.broken, p.why)
	}
	return nil
}

func (p *playing) take(step explore.Step, at *explore.Panel) error {
	if p.broken != "" {
		return fmt.Errorf("%s is broken: %s; nothing goes on after that", p.broken, p.why)
	}
	e, broken, why, err := p.Take(step)
	if err != nil {
		return err
	}
	p.last, p.broken, p.why = &e, broken, why
	at.Events = append(at.Events, e)
	return nil
}

// did holds what the last event did against what it must do.
func (p *playing) did(want *did) error {
	if p.last == nil {
		return fmt.Errorf("no event has happened")
	}
	var sends []string
	for _, m := range p.last.Sent {
		sends = append(sends, fmt.Sprintf("%d>%d %s", m.From, m.To, m.Label()))
	}
	if !slices.Equal(sends, want.sends) {
		return fmt.Errorf("node %d sends %s, and not %s", p.last.Node, listed(sends), listed(want.sends))
	}
	if !slices.Equal(p.last.Granted, want.enters) {
		return fmt.Errorf("node %d lets threads %v enter, and not %v", p.last.Node, p.last.Granted, want.enters)
	}
	if !slices.Equal(p.last.Revoked, want.revokes) {
		return fmt.Errorf("node %d takes the permissions of threads %v back, and not of %v", p.last.Node, p.last.Revoked, want.revokes)
	}
	return nil
}

func listed(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

func (p *playing) breaks(words string) error {
	p.told = true
	if string(p.broken) != words {
		return fmt.Errorf("%s is broken, and not %s", cmp.Or(string(p.broken), "nothing"), words)
	}
	return nil
}

func (p *playing) inside(words string) error { return p.places("inside", p.Inside(), words) }
func (p *playing) waits(words string) error  { return p.places("waiting", p.Waiting(), words) }

func (p *playing) places(what string, are []explore.Place, words string) error {
	var want []explore.Place
	for _, f := range strings.Fields(words) {
		if f == "nobody" {
			continue
		}
		q, err := p.s.place(f)
		if err != nil {
			return err
		}
		want = append(want, q)
	}
	slices.SortFunc(want, func(a, b explore.Place) int { return cmp.Or(int(a.Node-b.Node), int(a.Thread-b.Thread)) })
	if !slices.Equal(are, want) {
		names := make([]string, len(are))
		for k, q := range are {
			names[k] = fmt.Sprintf("%d.%d", q.Node, q.Thread)
		}
		return fmt.Errorf("%s: %s, and not %s", what, cmp.Or(strings.Join(names, " "), "nobody"), words)
	}
	return nil
}

func (p *playing) way(words string) error {
	var are []string
	for _, m := range p.UnderWay() {
		are = append(are, fmt.Sprintf("%d>%d %s", m.From, m.To, m.Label()))
	}
	if words == "nothing" && len(are) > 0 || words != "nothing" && !slices.Contains(are, words) {
		return fmt.Errorf("under way: %s, and not %s", listed(are), words)
	}
	return nil
}

func (p *playing) state(words string) error {
	node, text, _ := strings.Cut(words, " ")
	i, err := p.s.node(node)
	if err != nil {
		return err
	}
	if is := p.State(i); text == "" || !strings.Contains(is, text) {
		return fmt.Errorf("node %d has %s", i, is)
	}
	return nil
}

func (p *playing) follows(words string) error {
	node, leader, _ := strings.Cut(words, " ")
	i, err := p.s.node(node)
	if err != nil {
		return err
	}
	want := distributed.None
	if leader != "nobody" {
		if want, err = p.s.node(leader); err != nil {
			return err
		}
	}
	is, err := p.Leader(i)
	if err != nil {
		return err
	}
	if is != want {
		return fmt.Errorf("node %d follows %d, and not %s", i, is, leader)
	}
	return nil
}

func (p *playing) stuck(string) error {
	if !p.Stuck() {
		return fmt.Errorf("it is not: no thread waits, or an event must still happen: a message arrives, a timer expires, or a thread leaves its critical section")
	}
	return nil
}
