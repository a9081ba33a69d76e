// Package wire is the form in which the nodes of a run talk over a network: frames
// of a version, of a run, from one node to another. What Parse returns is sound in
// itself; whether it was expected is for package link to say.
package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"shmbench/distributed"
)

// Version is the version of the frames' form. Nodes of different ones do not
// understand each other.
const Version = 1

// MaxFrame is the length of the longest frame, in bytes.
const MaxFrame = 1 << 18

// MaxNodes is how many nodes a run may have: what they say of each other must fit
// a frame.
const MaxNodes = 1024

// A Run names a run. Frames of others are not for its nodes; over a transport
// without authentication it is also what a stranger does not know.
type Run [16]byte

// NewRun returns the name of a new run.
func NewRun() (r Run) {
	rand.Read(r[:])
	return r
}

func (r Run) String() string { return hex.EncodeToString(r[:]) }

// Fingerprint names the run to those who must not learn its name: a part of the
// name's SHA-256.
func (r Run) Fingerprint() string {
	sum := sha256.Sum256(r[:])
	return hex.EncodeToString(sum[:8])
}

// ParseRun reads what String writes.
func ParseRun(s string) (r Run, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(r) {
		return r, fmt.Errorf("%q is no run: want %d hexadecimal digits", s, 2*len(r))
	}
	return Run(b), nil
}

// A Frame is what one node sends to another: an acknowledgement of what came the
// other way, and a parcel unless Seq is 0.
type Frame struct {
	Run      Run
	From, To distributed.ID
	Born     uint64 // names the sender's process among those that were ever this node

	AckBorn uint64 // the receiver's process whose parcels are acknowledged; 0: none has come
	Ack     uint64 // up to this one
	Gap     bool   // one was missing before a later one: send again
	Done    bool   // the sender asks for nothing any more

	Seq    uint64 // of the parcel, from 1
	Oldest uint64 // which the sender still has, of those not acknowledged
	Parcel distributed.Parcel
}

// The errors of Parse. A frame of ErrForeign is of another run, or of something
// else altogether.
var (
	ErrForeign   = errors.New("foreign")
	ErrMalformed = errors.New("malformed")
	ErrOversized = errors.New("oversized")
)

// A frame is these bytes, then the version and flags, the run, and varints.
const magic = "dme"

const (
	flagParcel = 1 << iota
	flagGap
	flagDone
)

// Append appends f's form to b.
func (f *Frame) Append(b []byte) []byte {
	var flags byte
	if f.Seq != 0 {
		flags |= flagParcel
	}
	if f.Gap {
		flags |= flagGap
	}
	if f.Done {
		flags |= flagDone
	}
	b = append(append(b, magic...), Version, flags)
	b = append(b, f.Run[:]...)
	for _, v := range [...]uint64{uint64(f.From), uint64(f.To), f.Born, f.AckBorn, f.Ack} {
		b = binary.AppendUvarint(b, v)
	}
	if f.Seq == 0 {
		return b
	}
	p := &f.Parcel
	for _, v := range [...]uint64{f.Seq, f.Oldest, uint64(p.Fence.Epoch), uint64(p.Fence.Count), uint64(p.Sent)} {
		b = binary.AppendUvarint(b, v)
	}
	return p.Message.AppendWire(b)
}

// Parse reads a frame of run among n nodes of m threads, that is b and no more.
func Parse(b []byte, run Run, n, m int) (*Frame, error) {
	const head = len(magic) + 2 + len(run)
	switch {
	case len(b) > MaxFrame:
		return nil, fmt.Errorf("%w: %d bytes", ErrOversized, len(b))
	case len(b) < head || string(b[:len(magic)]) != magic:
		return nil, fmt.Errorf("%w: it does not begin as a frame", ErrForeign)
	case Run(b[len(magic)+2:head]) != run:
		return nil, fmt.Errorf("%w: of another run", ErrForeign)
	case b[len(magic)] != Version:
		return nil, fmt.Errorf("%w: version %d, this is %d", ErrForeign, b[len(magic)], Version)
	}
	flags := b[len(magic)+1]
	if flags&^(flagParcel|flagGap|flagDone) != 0 {
		return nil, fmt.Errorf("%w: unknown flags", ErrMalformed)
	}
	r := reader{b: b[head:]}
	f := &Frame{Run: run, Gap: flags&flagGap != 0, Done: flags&flagDone != 0}
	f.From, f.To, f.Born, f.AckBorn, f.Ack = r.id(n), r.id(n), r.uvarint(), r.uvarint(), r.uvarint()
	if r.bad || f.From == f.To || f.Born == 0 {
		return nil, fmt.Errorf("%w: a field is cut short or out of range", ErrMalformed)
	}
	if flags&flagParcel == 0 {
		if len(r.b) > 0 {
			return nil, fmt.Errorf("%w: it goes on after its end", ErrMalformed)
		}
		return f, nil
	}
	return f, f.parcel(r, n, m)
}

// parcel reads the rest of a frame with a parcel.
func (f *Frame) parcel(r reader, n, m int) error {
	p := &f.Parcel
	f.Seq, f.Oldest = r.uvarint(), r.uvarint()
	p.Fence = distributed.Fence{Epoch: r.int64(), Count: r.int64()}
	p.Sent = r.int64()
	if r.bad || f.Oldest == 0 || f.Oldest > f.Seq {
		return fmt.Errorf("%w: a field is cut short or out of range", ErrMalformed)
	}
	msg, rest, err := distributed.ParseMessage(r.b)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %v", ErrMalformed, err)
	case len(rest) > 0:
		return fmt.Errorf("%w: it goes on after its end", ErrMalformed)
	case msg.From != f.From || msg.To != f.To:
		return fmt.Errorf("%w: a message of others", ErrMalformed)
	case msg.Who < distributed.None || int(msg.Who) >= n || msg.Thread < 0 || int(msg.Thread) >= m:
		return fmt.Errorf("%w: no such node or thread", ErrMalformed)
	}
	p.Message = msg
	return nil
}

// reader takes varints off b until one is bad.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 { // cut short, or padded
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int64() int64 {
	v := int64(r.uvarint())
	r.bad = r.bad || v < 0
	return v
}

func (r *reader) id(n int) distributed.ID {
	v := r.uvarint()
	if v >= uint64(n) {
		r.bad = true
		return 0
	}
	return distributed.ID(v)
}
