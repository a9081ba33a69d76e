package distributed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Message travels from one node to another. The doc comment of each algorithm
// says which fields its kinds use; the other fields are zero.
type Message struct {
	From   ID     `json:"from"`
	To     ID     `json:"to"`
	Who    ID     `json:"who"`    // the node that the message is about; always set in a Request
	Thread Thread `json:"thread"` // the thread that the message is about
	Kind   Kind   `json:"kind"`
	Flag   bool   `json:"flag"`  // a request travels along (alien threads), or the sender is in the critical section (recovery)
	Lock   uint16 `json:"lock"`  // which of several locks
	Stamp  int64  `json:"stamp"` // timestamp, sequence number or term
	Clock  int64  `json:"clock"` // the sender's clock, where Stamp belongs to another event

	// Body is the part of a message that has no fixed size: Suzuki and Kasami's
	// token, or the list of a ring election. Other messages have a nil Body.
	// Ownership passes with the message: the sender keeps no reference, and the
	// receiver may change the Body. An environment that delivers a message twice,
	// or keeps a message that it delivers, must copy the message first.
	Body []int64 `json:"body,omitempty"`
}

// Clone returns a copy of m with a Body of its own.
func (m Message) Clone() Message {
	m.Body = slices.Clone(m.Body)
	return m
}

// String prints m as "1→2 request who=3 stamp=7" and omits zero fields.
func (m Message) String() string {
	return fmt.Sprintf("%d→%d %s", m.From, m.To, m.Label())
}

// Label prints m without its end points.
func (m Message) Label() string {
	var b strings.Builder
	b.WriteString(m.Kind.String())
	if m.Kind == Signal || m.Kind == Refused || m.Kind == Moved || m.Who != m.From && (m.Who != 0 || m.Kind == Request) {
		fmt.Fprintf(&b, " who=%d", m.Who)
	}
	if m.Thread != 0 {
		fmt.Fprintf(&b, " thread=%d", m.Thread)
	}
	if m.Lock != 0 {
		fmt.Fprintf(&b, " lock=%d", m.Lock)
	}
	if m.Stamp != 0 {
		fmt.Fprintf(&b, " stamp=%d", m.Stamp)
	}
	if m.Clock != 0 {
		fmt.Fprintf(&b, " clock=%d", m.Clock)
	}
	if m.Flag {
		switch m.Kind {
		case Token:
			b.WriteString(" and a request for its return")
		case Report:
			b.WriteString(" has it")
		default:
			b.WriteString(" flag")
		}
	}
	if len(m.Body) > 0 {
		fmt.Fprintf(&b, " %v", m.Body)
	}
	return b.String()
}

// The wire form is one byte of kind, one of flags, then varints: from, to,
// who, thread, lock, stamp, clock, the number of body words and the words. There
// is exactly one form of each message.
const wireFlag = 1

// MaxBody is the maximum number of words in a message's body on the wire.
const MaxBody = 1 << 20

// ErrWire is the error that all errors of ParseMessage wrap.
var ErrWire = errors.New("not a message")

// AppendWire appends m's wire form to b.
func (m Message) AppendWire(b []byte) []byte {
	var flags byte
	if m.Flag {
		flags |= wireFlag
	}
	b = append(b, byte(m.Kind), flags)
	for _, v := range [...]int64{int64(m.From), int64(m.To), int64(m.Who), int64(m.Thread), int64(m.Lock), m.Stamp, m.Clock, int64(len(m.Body))} {
		b = binary.AppendVarint(b, v)
	}
	for _, v := range m.Body {
		b = binary.AppendVarint(b, v)
	}
	return b
}

// ParseMessage reads the message at the start of b and returns it and the rest of
// b. It accepts only the wire form that AppendWire writes. Its errors wrap
// ErrWire.
func ParseMessage(b []byte) (m Message, rest []byte, err error) {
	fail := func(what string) (Message, []byte, error) {
		return Message{}, nil, fmt.Errorf("%w: %s", ErrWire, what)
	}
	if len(b) < 2 {
		return fail("shorter than its two bytes of header")
	}
	if b[0] >= byte(kinds) {
		return fail(fmt.Sprintf("kind %d is none of the %d known", b[0], kinds))
	}
	if b[1]&^wireFlag != 0 {
		return fail("unknown flags are set")
	}
	m.Kind, m.Flag = Kind(b[0]), b[1]&wireFlag != 0
	r := reader{b: b[2:]}
	m.From, m.To, m.Who = ID(r.int32()), ID(r.int32()), ID(r.int32())
	m.Thread = Thread(r.int32())
	lock := r.varint()
	m.Lock = uint16(lock)
	m.Stamp, m.Clock = r.varint(), r.varint()
	n := r.varint()
	if r.bad || lock != int64(m.Lock) {
		return fail("a field is cut short, out of range or not in shortest form")
	}
	if n < 0 || n > MaxBody || n > int64(len(r.b)) {
		return fail(fmt.Sprintf("a body of %d words in %d bytes", n, len(r.b)))
	}
	if n > 0 {
		m.Body = make([]int64, n)
		for i := range m.Body {
			m.Body[i] = r.varint()
		}
	}
	if r.bad {
		return fail("the body is cut short")
	}
	return m, r.b, nil
}

// reader reads varints from b until it meets an invalid one.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 { // cut short, or padded
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int32() int32 {
	v := r.varint()
	if v != int64(int32(v)) {
		r.bad = true
	}
	return int32(v)
}
