package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestApply: what each operation leaves in a cell, and what the process gets,
// or that it depends on what is not known.
func TestApply(t *testing.T) {
	one, other := Opaque{By: "one", ID: 1}, Opaque{By: "other", ID: 2}
	p, q := Ptr{Obj: 1}, Ptr{Obj: 2}
	for name, c := range map[string]struct {
		a           Access
		before      Value
		now, result Value
	}{
		"load":                    {Access{Op: Load}, Num(3), Num(3), Num(3)},
		"load of a struct":        {Access{Op: Load, wrap: true}, Num(3), Num(3), Agg{Num(3)}},
		"load of another sign":    {Access{Op: Load, bits: -8}, Num(255), Num(1<<64 - 1), Num(1<<64 - 1)},
		"load of what is unknown": {Access{Op: Load}, one, one, one},
		"store":                   {Access{Op: Store, Arg: Num(4)}, Num(3), Num(4), nil},
		"swap":                    {Access{Op: Swap, Arg: Num(4)}, Num(3), Num(4), Num(3)},
		"add":                     {Access{Op: Add, Arg: Num(2), bits: 8}, Num(255), Num(1), Num(1)},
		"add, one bit":            {Access{Op: Add, Arg: Num(1), bits: 1}, Num(1), Num(0), Num(0)},
		"add, signed":             {Access{Op: Add, Arg: Num(1), bits: -8}, Num(127), Num(1<<64 - 128), Num(1<<64 - 128)},
		"add to what is unknown":  {Access{Op: Add, Arg: Num(2)}, one, one, Undecided{"computes with one, which is not known"}},
		"and":                     {Access{Op: And, Arg: Num(6)}, Num(3), Num(2), nil},
		"and, for the old":        {Access{Op: And, Arg: Num(6), oldValue: true}, Num(3), Num(2), Num(3)},
		"or":                      {Access{Op: Or, Arg: Num(6)}, Num(3), Num(7), nil},
		"or, for the old":         {Access{Op: Or, Arg: Num(6), oldValue: true}, Num(3), Num(7), Num(3)},
		"or with the unknown":     {Access{Op: Or, Arg: Num(6)}, one, one, Undecided{"computes with one, which is not known"}},

		"compare-and-swap":                       {Access{Op: CompareAndSwap, Old: Num(3), Arg: Num(4)}, Num(3), Num(4), Num(1)},
		"compare-and-swap, which fails":          {Access{Op: CompareAndSwap, Old: Num(2), Arg: Num(4)}, Num(3), Num(3), Num(0)},
		"compare-and-swap, narrow":               {Access{Op: CompareAndSwap, Old: Num(3), Arg: Num(4), bits: 8}, Num(259), Num(4), Num(1)},
		"the unknown in the cell":                {Access{Op: CompareAndSwap, Old: Num(2), Arg: Num(4)}, one, one, Undecided{"compares one, which is not known"}},
		"the unknown to compare with":            {Access{Op: CompareAndSwap, Old: one, Arg: Num(4)}, Num(3), Num(3), Undecided{"compares one, which is not known"}},
		"two unknowns":                           {Access{Op: CompareAndSwap, Old: other, Arg: Num(4)}, one, one, Undecided{"compares one, which is not known"}},
		"the unknown and itself":                 {Access{Op: CompareAndSwap, Old: one, Arg: Num(4)}, one, Num(4), Num(1)},
		"an element that may have moved":         {Access{Op: CompareAndSwap, Old: moved, Arg: Num(4)}, moved, moved, Undecided{"compares " + moved.By}},
		"addresses":                              {Access{Op: CompareAndSwap, Old: p, Arg: q}, q, q, Num(0)},
		"an address and itself":                  {Access{Op: CompareAndSwap, Old: p, Arg: q, empty: true}, p, q, Num(1)},
		"addresses of variables without size":    {Access{Op: CompareAndSwap, Old: p, Arg: q, empty: true}, q, q, Undecided{"compares the addresses of two variables without size, which may or may not be equal"}},
		"nil and a variable without size":        {Access{Op: CompareAndSwap, Old: p, Arg: q, empty: true}, Ptr{}, Ptr{}, Num(0)},
		"what makes no difference":               {Access{Op: Store, Arg: Num(4), forgotten: true}, Forgotten{p}, Forgotten{p}, Forgotten{p}},
		"a struct of what makes no difference":   {Access{Op: Load, wrap: true, forgotten: true}, Forgotten{p}, Forgotten{p}, Agg{Forgotten{p}}},
		"the step of a section without accesses": {Access{Op: Pass}, nil, nil, nil},
	} {
		now, result := c.a.Apply(c.before)
		require.Equal(t, c.now, now, name)
		require.Equal(t, c.result, result, name)
	}
}
