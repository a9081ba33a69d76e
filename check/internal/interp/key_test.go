package interp

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

// local returns a new type of one and the same name.
func local() types.Type {
	name := types.NewTypeName(token.NoPos, types.NewPackage("p", "p"), "local", nil)
	return types.NewNamed(name, types.Typ[types.Int], nil)
}

// TestKeysOfValues: no two of these values are the same, though some look alike.
func TestKeysOfValues(t *testing.T) {
	f, g := new(ssa.Function), new(ssa.Function)
	one, other := local(), local()
	require.Equal(t, one.String(), other.String())
	values := []Value{
		nil, Num(0), Num(1), Num(1 << 63), "", "0", "lock",
		Ptr{}, Ptr{Obj: 1}, Ptr{Obj: -1}, Ptr{Obj: 1, Off: 1},
		Slice{}, Slice{P: Ptr{Obj: 1}}, Slice{Len: 1}, Slice{Cap: 1}, Slice{Grown: true},
		Agg{}, Agg{nil}, Agg{Num(1)}, Agg{Num(1), Num(0)}, Agg{Agg{Num(1)}, Num(0)}, Agg{Agg{Num(1), Num(0)}}, Agg{"a", "b\x04c"}, Agg{"a\x04b", "c"},
		noClosure, &Closure{Fn: f}, &Closure{Fn: g}, &Closure{Fn: f, Free: []Value{Num(1)}},
		Iface{}, Iface{one, Num(1)}, Iface{one, Num(2)}, Iface{other, Num(1)},
		Opaque{By: "it", ID: 1}, Opaque{By: "it", ID: 2}, Opaque{By: "that", ID: 1}, Forgotten{}, Forgotten{Ptr{Obj: 1}},
	}
	for i, x := range values {
		for k, y := range values {
			state := func(v Value) string { return string((&State{Access: &Access{}, priv: []Value{v}}).AppendKey(nil)) }
			if i == k {
				require.Equal(t, state(x), state(y))
				require.Equal(t, Identity(x), Identity(y))
				continue
			}
			require.NotEqual(t, state(x), state(y), "%#v, %#v", x, y)
			require.NotEqual(t, Identity(x), Identity(y), "%#v, %#v", x, y)
		}
	}
	require.Equal(t, Identity(Iface{one, Agg{Num(1)}}), Identity(Iface{one, Agg{Num(1)}}))
	require.Equal(t, Identity(&Closure{Fn: f, Free: []Value{Num(1)}}), Identity(&Closure{Fn: f, Free: []Value{Num(1)}}))
}

// TestKeysOfStates: two states that differ in one respect have two keys.
func TestKeysOfStates(t *testing.T) {
	access := func(a Access) *State { return &State{Access: &a} }
	inFrame := func(f frame) *State { return &State{Access: &Access{}, frames: []frame{f}} }
	holding := func(cells ...Value) *State { return &State{Access: &Access{}, heap: []object{{nil, cells}}} }
	inFunction := func(id int) frame { return frame{f: &fnInfo{id: id}} }
	states := []*State{
		access(Access{}), {Access: &Access{}, Section: Critical},
		{Fault: &Fault{Msg: "it fails"}}, {Fault: &Fault{Msg: "it fails there"}}, {Fault: &Fault{Msg: "it fails"}, Section: Exit},
		access(Access{Op: Swap}), access(Access{Plain: true}), access(Access{wrap: true}), access(Access{oldValue: true}),
		access(Access{At: Ptr{Obj: 1}}), access(Access{Arg: Num(1)}), access(Access{Old: Num(1)}),
		inFrame(inFunction(0)), inFrame(inFunction(1)), inFrame(frame{f: &fnInfo{}, block: 1}), inFrame(frame{f: &fnInfo{}, pc: 1}),
		inFrame(frame{f: &fnInfo{}, env: []Value{Num(1)}}), inFrame(frame{f: &fnInfo{}, env: []Value{Num(2)}}),
		{Access: &Access{}, frames: []frame{inFunction(0), inFunction(1)}}, {Access: &Access{}, frames: []frame{inFunction(1), inFunction(0)}},
		holding(), holding(Num(1)), holding(Num(1), Num(2)),
		{Access: &Access{}, priv: []Value{Num(1)}},
		{Access: &Access{}, aliases: []alias{{Ptr{Obj: -1}, Ptr{Obj: -2}, 1}}}, {Access: &Access{}, aliases: []alias{{Ptr{Obj: -1}, Ptr{Obj: -2}, 2}}},
		{Access: &Access{}, aliases: []alias{{Ptr{Obj: -1}, Ptr{Obj: -3}, 1}}}, {Access: &Access{}, aliases: []alias{{Ptr{Obj: -3}, Ptr{Obj: -2}, 1}}},
	}
	for i, x := range states {
		for k, y := range states {
			require.Equal(t, i == k, string(x.AppendKey(nil)) == string(y.AppendKey(nil)), "%d and %d", i, k)
		}
	}
}
