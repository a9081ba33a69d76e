package shm

import (
	"encoding/json"
	"strconv"
)

// Unbounded is the value of a Formula where there is no bound.
const Unbounded = -1

// Formula is a number that depends on n, the number of processes: Text for
// people ("n-1"), At for programs. The zero Formula is unbounded.
type Formula struct {
	Text string
	At   func(n int) int
}

// Const is the formula of a number that does not depend on n.
func Const(value int) Formula {
	return Formula{Text: strconv.Itoa(value), At: func(int) int { return value }}
}

// Of returns the formula's value for n processes.
func (f Formula) Of(n int) int {
	if f.At == nil {
		return Unbounded
	}
	return f.At(n)
}

// String returns the formula's text.
func (f Formula) String() string {
	if f.At == nil {
		return "unbounded"
	}
	return f.Text
}

// MarshalJSON encodes the formula as its text.
func (f Formula) MarshalJSON() ([]byte, error) { return json.Marshal(f.String()) }

// The formulas that most specifications use.
var (
	N        = Formula{Text: "n", At: func(n int) int { return n }}
	NMinus1  = Formula{Text: "n-1", At: func(n int) int { return n - 1 }}
	NPlus1   = Formula{Text: "n+1", At: func(n int) int { return n + 1 }}
	TwoProcs = Formula{Text: "n-1 for n<=2, else unbounded", At: func(n int) int {
		if n <= 2 {
			return n - 1
		}
		return Unbounded
	}}
)
