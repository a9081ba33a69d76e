package shm

import (
	"math/bits"
	"strconv"
	"strings"
)

// Unbounded is the value of a Formula if there is no bound, and Unknown if the formula says
// nothing of that n.
const (
	Unbounded = -1
	Unknown   = -2
)

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

// Linear is the formula factor·n + add, such as "2n+3".
func Linear(factor, add int) Formula {
	return Formula{Text: sum(factor, "n", add), At: func(n int) int { return factor*n + add }}
}

// Logarithmic is the formula factor·⌈log2 n⌉ + add, such as "2⌈log2 n⌉+3".
func Logarithmic(factor, add int) Formula {
	return Formula{Text: sum(factor, "⌈log2 n⌉", add), At: func(n int) int { return factor*bits.Len(uint(n-1)) + add }}
}

// sum is the text of a formula of two terms.
func sum(factor int, of string, add int) string {
	text := of
	if factor != 1 {
		text = strconv.Itoa(factor) + of
	}
	switch {
	case add > 0:
		return text + "+" + strconv.Itoa(add)
	case add < 0:
		return text + strconv.Itoa(add)
	}
	return text
}

// UpTo is the formula few for at most most processes, and other for more: "8 for n<=2, else 9".
func UpTo(most int, few, other Formula) Formula {
	return Formula{Text: few.String() + " for n<=" + strconv.Itoa(most) + ", else " + other.String(), At: func(n int) int {
		if n <= most {
			return few.Of(n)
		}
		return other.Of(n)
	}}
}

// Found is the formula of a number that was found for n = 2 and the next few n, and is on no
// formula of n, such as "12, 20 for n=2,3". It is Unknown for all other n.
func Found(values ...int) Formula {
	var found, ns []string
	for i, value := range values {
		found, ns = append(found, strconv.Itoa(value)), append(ns, strconv.Itoa(i+2))
	}
	return Formula{Text: strings.Join(found, ", ") + " for n=" + strings.Join(ns, ","), At: func(n int) int {
		if n < 2 || n-2 >= len(values) {
			return Unknown
		}
		return values[n-2]
	}}
}

// Growth is how fast a formula grows with n.
type Growth string

// The growths. That of a formula that was found for a few n is not known.
const (
	UnknownGrowth     Growth = ""
	ConstantGrowth    Growth = "O(1)"
	LogarithmicGrowth Growth = "O(log n)"
	LinearGrowth      Growth = "O(n)"
	NoBound           Growth = RMRUnbounded
)

// Growths are all growths that are known, the slowest first.
var Growths = []Growth{ConstantGrowth, LogarithmicGrowth, LinearGrowth, NoBound}

// Growth returns how fast a formula of Const, Linear, Logarithmic, UpTo and Found grows.
func (f Formula) Growth() Growth {
	const small, large = 1 << 10, 1 << 20
	a, b := f.Of(small), f.Of(large)
	switch {
	case b == Unknown:
		return UnknownGrowth
	case b == Unbounded:
		return NoBound
	case a == b:
		return ConstantGrowth
	case b-a > large/4:
		return LinearGrowth
	}
	return LogarithmicGrowth
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

// MarshalText encodes the formula as its text.
func (f Formula) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText decodes a formula from its text. A formula that was read is Unknown for each n,
// unless it is unbounded.
func (f *Formula) UnmarshalText(text []byte) error {
	*f = Formula{}
	if string(text) != f.String() {
		*f = Formula{Text: string(text), At: func(int) int { return Unknown }}
	}
	return nil
}

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
