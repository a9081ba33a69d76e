// Package wire defines the frames that the nodes of a run exchange over a network.
// A frame has a version, a run, a sender and a receiver. A frame that Parse
// returns is valid in itself. Package link decides whether it was expected.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"

	"shmbench/distributed"
)

// Version is the version of the form of frames. Nodes with different versions do
// not understand each other. Hellos and refusals have the same form in all
// versions from 2 on, so nodes can tell each other that their versions differ.
const Version = 2

// MaxFrame is the maximum length of a frame, in bytes.
const MaxFrame = 1 << 18

// MaxNodes is the maximum number of nodes of a run. The information on all nodes
// must fit into a frame.
const MaxNodes = 1024

// MaxNumber bounds the numbers that algorithms count with: tokens, time stamps,
// sequence numbers. A node adds to the numbers that it receives, and the sums must
// not overflow. JSON keeps numbers exact up to the same bound.
const MaxNumber = 1 << 53

// Kind is the kind of a frame.
type Kind uint8

// The kinds of frames.
const (
	Ordinary Kind = iota // acknowledges parcels, and carries a parcel unless Seq is 0
	Hello                // tells the settings of a process
	Refusal              // tells a process why it may not take part
	kinds
)

// A Frame is the unit that one process sends to another. Each process has a random name. So
// no process takes a frame of a node's earlier process for a frame of the next process.
// Only a process that has received a frame of another one can answer it.
type Frame struct {
	Version uint8
	Kind    Kind
	Run     Run
	From    distributed.ID
	To      distributed.ID
	Process uint64 // name of the sender's process
	Other   uint64 // name of the receiver's process, as far as the sender knows; 0: the sender does not know it

	// An ordinary frame.
	Ack    uint64 // the number of the last parcel that the sender has taken
	Gap    bool   // a parcel before a later one is missing: send again
	Done   bool   // the sender makes no more requests
	Bye    bool   // the sender's process ends
	Seq    uint64 // number of the parcel, from 1
	Oldest uint64 // number of the oldest parcel that the sender keeps because it is unacknowledged
	Parcel distributed.Parcel

	// A hello.
	Reply    bool // the sender asks for a hello
	Met      bool // the sender has met the receiver's process
	Again    bool // the sender has met it, in place of an earlier process that was in the run
	Settings []Setting

	// A refusal.
	Final  bool // waiting does not help
	Reason string
}

// The errors of Parse. ErrForeign is for a frame of another run, or for data that
// is no frame.
var (
	ErrForeign   = errors.New("foreign")
	ErrMalformed = errors.New("malformed")
	ErrOversized = errors.New("oversized")
)

// magic is the beginning of a frame. The version and flags, the run, and varints
// follow.
const magic = "dme"

// The lowest two bits of the flags are the kind. The others are booleans of the frame.
const kindBits = 3

// flag is a boolean of a frame, with its bit of the flags.
type flag struct {
	bit byte
	is  *bool
}

// flagsOf returns the flags that frames of f's kind have. The parcel says whether f has
// one.
func (f *Frame) flagsOf(parcel *bool) []flag {
	switch f.Kind {
	case Hello:
		return []flag{{4, &f.Met}, {8, &f.Again}, {16, &f.Reply}}
	case Refusal:
		return []flag{{4, &f.Final}}
	}
	return []flag{{4, parcel}, {8, &f.Gap}, {16, &f.Done}, {32, &f.Bye}}
}

// Append appends f in wire form to b.
func (f *Frame) Append(b []byte) []byte {
	parcel, flags := f.Seq != 0, byte(f.Kind)
	for _, g := range f.flagsOf(&parcel) {
		if *g.is {
			flags |= g.bit
		}
	}
	b = append(append(b, magic...), f.Version, flags)
	b = append(b, f.Run[:]...)
	for _, v := range [...]uint64{uint64(f.From), uint64(f.To), f.Process, f.Other} {
		b = binary.AppendUvarint(b, v)
	}
	switch f.Kind {
	case Hello:
		return appendText(b, settingsText(f.Settings))
	case Refusal:
		return appendText(b, f.Reason)
	}
	b = binary.AppendUvarint(b, f.Ack)
	if !parcel {
		return b
	}
	p := &f.Parcel
	for _, v := range [...]uint64{f.Seq, f.Oldest, uint64(p.Fence.Epoch), uint64(p.Fence.Count), uint64(p.Sent)} {
		b = binary.AppendUvarint(b, v)
	}
	return p.Message.AppendWire(b)
}

// headLength is the length of the part before the varints.
const headLength = len(magic) + 2 + len(Run{})

// Parse parses b as one frame of run. An ordinary frame must come from one of n
// nodes with m threads each. A hello or a refusal may come from a node with other
// numbers, and from another version. Parse returns an error that wraps ErrForeign,
// ErrMalformed or ErrOversized.
func Parse(b []byte, run Run, n, m int) (*Frame, error) {
	switch {
	case len(b) > MaxFrame:
		return nil, fmt.Errorf("%w: %d bytes", ErrOversized, len(b))
	case len(b) < headLength || string(b[:len(magic)]) != magic:
		return nil, fmt.Errorf("%w: it does not begin as a frame", ErrForeign)
	case Run(b[headLength-len(run):headLength]) != run:
		return nil, fmt.Errorf("%w: of another run", ErrForeign)
	}
	flags := b[len(magic)+1]
	f := &Frame{Version: b[len(magic)], Kind: Kind(flags & kindBits), Run: run}
	if f.Version < 2 || f.Version != Version && f.Kind == Ordinary {
		return nil, fmt.Errorf("%w: version %d, this is %d", ErrForeign, f.Version, Version)
	}
	var parcel bool
	flags &^= kindBits
	for _, g := range f.flagsOf(&parcel) {
		*g.is = flags&g.bit != 0
		flags &^= g.bit
	}
	if f.Kind >= kinds || flags != 0 {
		return nil, fmt.Errorf("%w: unknown flags", ErrMalformed)
	}
	if f.Kind != Ordinary {
		n = MaxNodes
	}
	r := &reader{b: b[headLength:]}
	f.From, f.To, f.Process, f.Other = r.id(n), r.id(n), r.uvarint(), r.uvarint()
	if r.bad || f.Process == 0 {
		return nil, fmt.Errorf("%w: a field is cut short or out of range", ErrMalformed)
	}
	var text string
	var err error
	switch f.Kind {
	case Hello:
		if text, err = r.text(); err == nil {
			f.Settings, err = parseSettings(text)
		}
	case Refusal:
		f.Reason, err = r.text()
	default:
		err = f.ordinary(r, parcel, n, m)
	}
	if err != nil {
		return nil, err
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%w: it goes on after its end", ErrMalformed)
	}
	return f, nil
}

// ordinary reads the rest of an ordinary frame among n nodes of m threads, which may have a
// parcel.
func (f *Frame) ordinary(r *reader, parcel bool, n, m int) error {
	f.Ack = r.uvarint()
	if r.bad || f.From == f.To || f.Other == 0 {
		return fmt.Errorf("%w: a field is cut short or out of range", ErrMalformed)
	}
	if !parcel {
		return nil
	}
	p := &f.Parcel
	f.Seq, f.Oldest = r.uvarint(), r.uvarint()
	p.Fence = distributed.Fence{Epoch: r.number(MaxNumber), Count: r.number(MaxNumber)}
	p.Sent = r.number(1<<63 - 1)
	if r.bad || f.Oldest == 0 || f.Oldest > f.Seq {
		return fmt.Errorf("%w: a field is cut short or out of range", ErrMalformed)
	}
	msg, rest, err := distributed.ParseMessage(r.b)
	r.b = rest
	switch {
	case err != nil:
		return fmt.Errorf("%w: %v", ErrMalformed, err)
	case msg.From != f.From || msg.To != f.To:
		return fmt.Errorf("%w: a message of others", ErrMalformed)
	case msg.Who < distributed.None || int(msg.Who) >= n || msg.Thread < 0 || int(msg.Thread) >= m:
		return fmt.Errorf("%w: no such node or thread", ErrMalformed)
	case !counts(msg):
		return fmt.Errorf("%w: a number is out of range", ErrMalformed)
	}
	p.Message = msg
	return nil
}

// Fits reports whether Parse accepts the numbers in p.
func Fits(p *distributed.Parcel) bool {
	return p.Fence.Epoch <= MaxNumber && p.Fence.Count <= MaxNumber && counts(p.Message)
}

// counts reports whether the numbers of m are those of counters.
func counts(m distributed.Message) bool {
	in := func(v int64) bool { return -MaxNumber <= v && v <= MaxNumber }
	for _, v := range m.Body {
		if !in(v) {
			return false
		}
	}
	return in(m.Stamp) && in(m.Clock)
}
