package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A Run names a run. Frames of others are not for its nodes. Over a transport
// without authentication it is also what a stranger does not know.
type Run [16]byte

// NewRun returns the name of a new run.
func NewRun() (r Run) {
	rand.Read(r[:])
	return r
}

func (r Run) String() string { return hex.EncodeToString(r[:]) }

// Fingerprint names the run to processes that must not learn its name: it is a part of the
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
