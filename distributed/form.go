package distributed

import (
	"fmt"
	"slices"
)

// Body says what the field Body of a message holds.
type Body uint8

// The kinds of a Body.
const (
	NoBody     Body = iota // nothing
	OneNumber              // one number
	TokenQueue             // one number for each node, and then a list of distinct nodes
	NodeList               // a list of at least one node, all distinct
)

// A Form describes all messages of one kind in an algorithm.
type Form struct {
	Kind   Kind
	Body   Body
	Nobody bool // the field Who may be None
}

// Forms lists the forms of all messages of an algorithm.
type Forms []Form

// Plain returns the forms of messages without a body.
func Plain(kinds ...Kind) Forms {
	f := make(Forms, len(kinds))
	for i, k := range kinds {
		f[i].Kind = k
	}
	return f
}

// Check returns an error of one line if none of n nodes can send m in any state.
// An environment that receives messages from elsewhere calls Check first, because
// nodes rely on the forms.
func (f Forms) Check(m Message, n int) error {
	i := slices.IndexFunc(f, func(g Form) bool { return g.Kind == m.Kind })
	if i < 0 {
		return fmt.Errorf("node %d sends a message of kind %s, which this algorithm does not have", m.From, m.Kind)
	}
	if m.Who == None && !f[i].Nobody {
		return fmt.Errorf("node %d sends a message of kind %s in the name of no node", m.From, m.Kind)
	}
	if m.Kind == Request && m.Who == m.To {
		return fmt.Errorf("node %d sends node %d its own request", m.From, m.To)
	}
	if !f[i].Body.holds(m.Body, n) {
		return fmt.Errorf("node %d sends a message of kind %s with the body %s: it must hold %s", m.From, m.Kind, excerpt(m.Body), f[i].Body.text(n))
	}
	return nil
}

func (b Body) holds(body []int64, n int) bool {
	switch b {
	case OneNumber:
		return len(body) == 1
	case TokenQueue:
		return len(body) >= n && nodes(body[n:], n)
	case NodeList:
		return len(body) > 0 && nodes(body, n)
	}
	return len(body) == 0
}

// nodes reports whether list has some of n nodes, and none twice.
func nodes(list []int64, n int) bool {
	seen := make([]bool, n)
	for _, j := range list {
		if j < 0 || j >= int64(n) || seen[j] {
			return false
		}
		seen[j] = true
	}
	return true
}

// excerpt prints the beginning of a body.
func excerpt(body []int64) string {
	const most = 20
	if len(body) > most {
		return fmt.Sprintf("%v and %d more", body[:most], len(body)-most)
	}
	return fmt.Sprint(body)
}

func (b Body) text(n int) string {
	switch b {
	case OneNumber:
		return "one number"
	case TokenQueue:
		return fmt.Sprintf("%d numbers, and then nodes, none twice", n)
	case NodeList:
		return "at least one node, and none twice"
	}
	return "nothing"
}
