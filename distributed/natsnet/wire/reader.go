package wire

import (
	"encoding/binary"

	"shmbench/distributed"
)

// reader reads varints from b until it meets an invalid one.
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

// number reads a number from 0 to most.
func (r *reader) number(most uint64) int64 {
	v := r.uvarint()
	if v > most {
		r.bad = true
		return 0
	}
	return int64(v)
}

func (r *reader) id(n int) distributed.ID {
	v := r.uvarint()
	if v >= uint64(n) {
		r.bad = true
		return 0
	}
	return distributed.ID(v)
}
