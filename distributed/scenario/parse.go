package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"shmbench/distributed"
	"shmbench/distributed/explore"
)

// The largest file that Parse reads.
const (
	maxBytes = 1 << 20
	maxLines = 20_000
)

// Parse reads a scenario of that name. Its error is one plain line, with the
// line's number.
func Parse(name, text string) (*Scenario, error) {
	s := &Scenario{Name: name, system: system{threads: 1, requests: 255, locks: 1, needs: map[distributed.ID][]uint16{}}}
	lines := strings.Split(text, "\n")
	if len(text) > maxBytes || len(lines) > maxLines {
		return nil, fmt.Errorf("%s: %d bytes in %d lines: at most %d in %d", name, len(text), len(lines), maxBytes, maxLines)
	}
	said := map[string]bool{}
	for k, l := range lines {
		l, _, _ = strings.Cut(l, "#")
		word, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
		rest = strings.Join(strings.Fields(rest), " ")
		if word == "" {
			continue
		}
		err := s.line(k+1, word, rest)
		if err == nil && len(s.Panels) == 0 && word != "clock" && word != "needs" { // those are of one node
			if said[word] {
				err = errors.New("it is said already")
			}
			said[word] = true
		}
		if err != nil {
			text := strings.TrimSpace(word + " " + rest)
			if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
				text = strconv.Quote(text)
			}
			return nil, fmt.Errorf("%s:%d: %s: %w", name, k+1, text, err)
		}
	}
	if s.algorithm == nil && s.election == nil {
		return nil, fmt.Errorf("%s: no algorithm: write alg NAME", name)
	}
	if len(s.Panels) == 0 {
		return nil, fmt.Errorf("%s: no panel: write panel NAME and its events", name)
	}
	return s, nil
}

func (s *Scenario) line(number int, word, rest string) error {
	if word == "panel" {
		if s.algorithm == nil && s.election == nil {
			return errors.New("say before with which algorithm: alg NAME")
		}
		name, words, _ := strings.Cut(rest, " ")
		s.Panels = append(s.Panels, Panel{Name: name, Words: words})
		return nil
	}
	if len(s.Panels) == 0 {
		return s.header(word, rest)
	}
	p := &s.Panels[len(s.Panels)-1]
	if word == "sends" || word == "enters" || word == "revokes" || word == "silent" {
		return s.did(p, number, word, rest)
	}
	if do, is := checks[word]; is {
		p.lines = append(p.lines, line{number: number, check: do, words: rest})
		return nil
	}
	if word == "deliver" && rest == "all" {
		p.lines = append(p.lines, line{number: number, all: true})
		return nil
	}
	step, err := s.event(word, rest)
	if err != nil {
		return err
	}
	p.lines = append(p.lines, line{number: number, event: step})
	return nil
}

// did reads a line about what the last event did; several in a row are about the
// same.
func (s *Scenario) did(p *Panel, number int, word, rest string) error {
	if len(p.lines) == 0 || p.lines[len(p.lines)-1].check != nil || p.lines[len(p.lines)-1].all {
		return errors.New("it follows the event that does it")
	}
	if p.lines[len(p.lines)-1].did == nil {
		p.lines = append(p.lines, line{number: number, did: &did{}})
	}
	d := p.lines[len(p.lines)-1].did
	switch word {
	case "sends":
		pair, label, _ := strings.Cut(rest, " ")
		from, to, err := s.pair(pair)
		if err != nil {
			return err
		}
		d.sends = append(d.sends, fmt.Sprintf("%d>%d %s", from, to, label))
	case "enters", "revokes":
		q, err := s.place(rest)
		if err != nil {
			return err
		}
		if word == "enters" {
			d.enters = append(d.enters, q.Thread)
		} else {
			d.revokes = append(d.revokes, q.Thread)
		}
	default:
		if rest != "" || len(d.sends)+len(d.enters)+len(d.revokes) > 0 {
			return errors.New("it stands alone")
		}
	}
	return nil
}

func (s *Scenario) header(word, rest string) (err error) {
	switch word {
	case "title":
		s.Title = rest
	case "source":
		s.Source = rest
	case "alg":
		err = s.find(rest)
	case "nodes":
		s.nodes, err = number(rest, 2, 6)
	case "threads":
		s.threads, err = number(rest, 1, 12)
	case "requests":
		s.requests, err = number(rest, 0, 255)
	case "locks":
		s.locks, err = number(rest, 1, 16)
	case "resources":
		s.resources, err = number(rest, 1, 16)
	case "present":
		for f := range strings.SplitSeq(rest, ",") {
			k, err := number(f, 1, 12)
			if err != nil {
				return err
			}
			s.present = append(s.present, k)
		}
	case "tree":
		s.tree = rest
	case "quorums":
		s.quorums = rest
	case "lease":
		s.lease, err = number(rest, 1, distributed.MaxLease)
	case "go-on":
		s.goOn = true
	case "first":
		s.first = true
	case "lowest":
		s.lowest = true
	case "order":
		if s.anyOrder = rest == "any"; !s.anyOrder && rest != "fifo" {
			err = errors.New("it is fifo or any")
		}
	case "timing":
		err = s.timing.UnmarshalText([]byte(rest))
	case "clock":
		node, value, _ := strings.Cut(rest, " ")
		c := clock{}
		if c.node, err = s.node(node); err == nil {
			var v int
			v, err = number(value, 0, 1<<30)
			c.value = int64(v)
			s.clocks = append(s.clocks, c)
		}
	case "needs":
		err = s.need(rest)
	default:
		err = errors.New("neither a property of the system nor a panel")
	}
	return err
}

func (s *Scenario) need(rest string) error {
	text, list, _ := strings.Cut(rest, " ")
	i, err := s.node(text)
	if err != nil {
		return err
	}
	var needs []uint16
	for _, f := range strings.Split(list, ",") {
		k, err := number(f, 0, s.locks-1)
		if err != nil {
			return err
		}
		needs = append(needs, uint16(k))
	}
	s.needs[i] = needs
	return nil
}

// event reads an event.
func (s *Scenario) event(word, rest string) (*explore.Step, error) {
	what, known := events[word]
	if !known {
		return nil, errors.New("neither an event nor what must be true; go doc shmbench/distributed/scenario lists both")
	}
	step := &explore.Step{What: what}
	if before, crash, there := strings.Cut(rest, ";"); there {
		k, is := strings.CutPrefix(strings.TrimSpace(crash), "crash ")
		sends, err := number(k, 1, 255)
		if !is || err != nil {
			return nil, errors.New("after ; write crash and after how many sends")
		}
		rest, step.Sends = strings.TrimSpace(before), sends
	}
	var err error
	switch word {
	case "ask", "leave", "hang":
		var p explore.Place
		p, err = s.place(rest)
		step.Node, step.Thread = p.Node, p.Thread
	case "move":
		place, to, _ := strings.Cut(rest, " ")
		var p explore.Place
		if p, err = s.place(place); err == nil {
			step.Node, step.Thread = p.Node, p.Thread
			step.To, err = s.node(to)
		}
	case "suspect", "crash", "restart":
		step.Node, err = s.node(rest)
	case "expire":
		node, timer, _ := strings.Cut(rest, " ")
		if step.Node, err = s.node(node); err == nil {
			var id int
			id, err = number(timer, 0, 255)
			step.Timer = distributed.TimerID(id)
		}
	case "deliver", "lose", "copy":
		pair, message, _ := strings.Cut(rest, " ")
		step.Node, step.To, err = s.pair(pair)
		step.Message = message
	case "cut":
		for _, f := range strings.Split(rest, ",") {
			i, err := s.node(f)
			if err != nil {
				return nil, err
			}
			step.Side = append(step.Side, i)
		}
	default:
		if rest != "" {
			err = errors.New("nothing follows")
		}
	}
	return step, err
}

// events has the names of events and what the explorer calls them.
var events = map[string]string{
	"ask": "request", "leave": "release", "deliver": "deliver", "lose": "lose", "copy": "duplicate", "suspect": "suspect",
	"crash": "crash", "restart": "recover", "expire": "timer", "cut": "partition", "heal": "heal", "tick": "tick", "hang": "hang", "move": "move",
}

func number(text string, least, most int) (int, error) {
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || v < least || v > most {
		return 0, fmt.Errorf("%q: a whole number from %d to %d", text, least, most)
	}
	return v, nil
}

func (s *Scenario) node(text string) (distributed.ID, error) {
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || v < 0 || v >= s.nodes {
		return 0, fmt.Errorf("%q is no node: they are 0 to %d", text, s.nodes-1)
	}
	return distributed.ID(v), nil
}

// place reads N or N.T.
func (s *Scenario) place(text string) (p explore.Place, err error) {
	node, thread, there := strings.Cut(text, ".")
	if p.Node, err = s.node(node); err != nil || !there {
		return p, err
	}
	t, err := strconv.Atoi(thread)
	if err != nil || t < 0 || t >= s.threads {
		return p, fmt.Errorf("%q is no thread: they are 0 to %d", thread, s.threads-1)
	}
	p.Thread = distributed.Thread(t)
	return p, nil
}

// pair reads A>B.
func (s *Scenario) pair(text string) (a, b distributed.ID, err error) {
	from, to, there := strings.Cut(text, ">")
	if !there {
		return 0, 0, fmt.Errorf("%q: write the sender and the receiver, as in 0>1", text)
	}
	if a, err = s.node(from); err == nil {
		b, err = s.node(to)
	}
	return a, b, err
}
