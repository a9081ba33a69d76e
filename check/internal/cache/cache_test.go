package cache

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
)

// TestProtocol checks every access to one register in every state of its copy.
func TestProtocol(t *testing.T) {
	read, write := Access{Bit: 1 << 4}, Access{Bit: 1 << 4, Writes: true}
	shared, exclusive := Shared<<4, Exclusive<<4
	for _, c := range []struct {
		access        Access
		copied        Cache
		own, others   Cache
		through, back bool
	}{
		{read, 0, shared, 0, true, true},
		{read, shared, shared, shared, false, false},
		{read, exclusive, exclusive, shared, false, false},
		{write, 0, exclusive, 0, true, true},
		{write, shared, exclusive, 0, true, true},
		{write, exclusive, exclusive, 0, true, false},
		{Access{}, exclusive, exclusive, exclusive, false, false},
		{Access{Writes: true}, shared, shared, shared, false, false},
	} {
		other := Shared | Exclusive<<8 // copies of other registers
		require.Equal(t, c.own|other, c.access.Own(c.copied|other))
		require.Equal(t, c.others|other, c.access.Others(c.copied|other))
		through, back := c.access.Remote(c.copied | other)
		require.Equal(t, []bool{c.through, c.back}, []bool{through, back})
	}
}

// TestLines gives places to as many registers as a cache can have, and to no more.
func TestLines(t *testing.T) {
	p := new(automaton.Proc)
	for reg := range int32(Most) {
		p.Local = append(p.Local, automaton.Local{Reg: reg, Kind: automaton.Reads})
	}
	p.Local = append(p.Local, automaton.Local{Reg: -1}, automaton.Local{Reg: 1, Kind: automaton.Writes})
	lines := NewLines(p)
	require.Len(t, lines, Most)
	var places uint64
	for reg := range int32(Most) {
		places |= lines.At(reg)
	}
	require.Equal(t, LowBits, places, "each register has a place of its own")
	require.Zero(t, lines.At(Most))
	require.Zero(t, lines.At(-1))
	require.Equal(t, Access{lines[1], true}, lines.Of(&p.Local[Most+1]))
	p.Local = append(p.Local, automaton.Local{Reg: Most, Kind: automaton.Reads})
	require.Nil(t, NewLines(p))
}
