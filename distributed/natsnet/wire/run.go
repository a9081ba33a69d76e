package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A Run is the name of a run. The nodes of a run ignore the frames of other runs.
// Over a transport without authentication, the name is also a secret that a
// stranger does not know.
type Run [16]byte

// NewRun returns a random name for a new run.
func NewRun() (r Run) {
	rand.Read(r[:])
	return r
}

func (r Run) String() string { return hex.EncodeToString(r[:]) }

// Fingerprint identifies the run to processes that must not learn its name. It is a part
// of the name's SHA-256.
func (r Run) Fingerprint() string {
	sum := sha256.Sum256(r[:])
	return hex.EncodeToString(sum[:8])
}

// ParseRun parses the output of String. It returns an error for any other text.
func ParseRun(s string) (r Run, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(r) {
		return r, fmt.Errorf("%q is no run: want %d hexadecimal digits", s, 2*len(r))
	}
	return Run(b), nil
}
