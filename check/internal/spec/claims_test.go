package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// TestWeak: registers are atomic if nothing is said of them.
func TestWeak(t *testing.T) {
	for model, weak := range map[shm.RegisterModel]bool{"": false, shm.Atomic: false, shm.Regular: true, shm.Safe: true} {
		require.Equal(t, weak, Terms{Registers: model}.weak(), model)
	}
}

// TestClaimed: each claim of a specification is one of the terms where it is made, and of no others.
func TestClaimed(t *testing.T) {
	exclusive := Terms{N: 2, Modes: []shm.Mode{shm.Exclusive}}
	mixed := Terms{N: 2, Modes: []shm.Mode{shm.Exclusive, shm.Shared}, Mixed: true}
	safe := Terms{N: 2, Registers: shm.Safe}
	for _, c := range []struct {
		name                string
		claims              shm.Claims
		pure, mixed, weakly []string
	}{
		{"nothing", shm.Claims{}, nil, nil, nil},
		{"starvation freedom", shm.Claims{StarvationFree: true}, []string{verdict.StarvationFreedom}, nil, nil},
		{"order", shm.Claims{FCFS: true}, []string{verdict.FirstComeFirstServed}, nil, nil},
		{"bypass", shm.Claims{Bypass: shm.Const(0)}, []string{verdict.BoundedBypass}, nil, nil},
		{"bypass for three", shm.Claims{Bypass: shm.UpTo(2, shm.Formula{}, shm.Const(1))}, nil, nil, nil},
		{"deadlock freedom is no further claim", shm.Claims{DeadlockFree: true}, nil, nil, nil},
		{"mixed starvation freedom", shm.Claims{Mixed: shm.Mixed{Writers: shm.Patient{StarvationFree: true}}}, nil, []string{verdict.StarvationFreedom}, nil},
		{"mixed bypass", shm.Claims{Mixed: shm.Mixed{Writers: shm.Patient{Bypass: shm.Const(1)}}}, nil, []string{verdict.BoundedBypass}, nil},
		{"bypass of readers", shm.Claims{Mixed: shm.Mixed{Readers: shm.Patient{Bypass: shm.Const(1)}}}, nil, []string{verdict.ReaderBoundedBypass}, nil},
		{"safe registers", shm.Claims{Weakest: shm.Weakest{StarvationFree: shm.Safe}}, nil, nil, []string{verdict.StarvationFreedom}},
		{"regular registers", shm.Claims{Weakest: shm.Weakest{StarvationFree: shm.Regular}}, nil, nil, nil},
	} {
		a := &shm.Algorithm{Claims: c.claims}
		require.Equal(t, c.pure, Claimed(a, exclusive), c.name)
		require.Equal(t, c.mixed, Claimed(a, mixed), "%s, in all modes", c.name)
		require.Equal(t, c.weakly, Claimed(a, safe), "%s, on safe registers", c.name)
		require.Equal(t, c.pure, Claimed(a, Terms{N: 2, Registers: shm.Atomic}), "%s, on atomic registers", c.name)
	}
	require.Empty(t, Claimed(nil, exclusive))
}

// TestAsked: a property of modes is asked of the locks that have such a mode.
func TestAsked(t *testing.T) {
	for _, c := range []struct {
		property string
		of       []shm.Mode // each of them alone, besides Exclusive
	}{
		{verdict.MutualExclusion, nil},
		{verdict.ReaderBoundedBypass, nil},
		{verdict.ReadersTogether, []shm.Mode{shm.Shared, shm.TryShared}},
		{verdict.ReaderStarvationFreedom, []shm.Mode{shm.Shared}},
		{verdict.ConcurrentReaders, []shm.Mode{shm.Shared}},
		{verdict.NoEffect, []shm.Mode{shm.Try, shm.TryShared}},
		{verdict.WaitFreeTry, []shm.Mode{shm.Try, shm.TryShared}},
		{verdict.StrongTry, []shm.Mode{shm.Try, shm.TryShared}},
		{verdict.WaitFreeAbort, []shm.Mode{shm.Until}},
	} {
		var of []shm.Mode
		for _, m := range []shm.Mode{shm.Shared, shm.Try, shm.Until, shm.TryShared} {
			if Asked(c.property, []shm.Mode{shm.Exclusive, m}) {
				of = append(of, m)
			}
		}
		require.ElementsMatch(t, c.of, of, c.property)
		require.False(t, Asked(c.property, []shm.Mode{shm.Exclusive}), c.property)
	}
}

// TestRequiredInAllModes: the properties of a mode are required of a lock that has it, if its
// specification claims them or they are part of what the mode is.
func TestRequiredInAllModes(t *testing.T) {
	all := Terms{N: 2, Modes: []shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until}, Mixed: true}
	safety := []string{verdict.MutualExclusion, verdict.DataRaceFreedom, verdict.PanicFreedom, verdict.ReadersTogether, verdict.NoEffect}
	for _, c := range []struct {
		claims shm.Mixed
		more   []string
	}{
		{shm.Mixed{}, nil},
		{shm.Mixed{DeadlockFree: true}, []string{verdict.DeadlockFreedom, verdict.ExitProgress}},
		{shm.Mixed{Readers: shm.Patient{StarvationFree: true}}, []string{verdict.ReaderStarvationFreedom}},
		{shm.Mixed{Concurrent: true}, []string{verdict.ConcurrentReaders}},
		{shm.Mixed{WaitFreeTry: true}, []string{verdict.WaitFreeTry}},
		{shm.Mixed{StrongTry: true}, []string{verdict.StrongTry}},
		{shm.Mixed{WaitFreeAbort: true}, []string{verdict.WaitFreeAbort}},
		{shm.Mixed{Writers: shm.Patient{StarvationFree: true, Bypass: shm.Const(1)}}, nil},
	} {
		a := &shm.Algorithm{Claims: shm.Claims{Mixed: c.claims}}
		require.ElementsMatch(t, append(c.more, safety...), Required(a, all), c.more)
	}
	whole := &shm.Algorithm{Claims: shm.Claims{Mixed: shm.Mixed{DeadlockFree: true, Concurrent: true, WaitFreeTry: true, StrongTry: true, WaitFreeAbort: true}}}
	require.Equal(t, Required(nil, pure), Required(whole, Terms{N: 2, Modes: pure.Modes, Mixed: true}), "the lock has no other mode")
}

// TestWeakestRegisters: exclusion and what follows from it, progress and starvation freedom each
// have their own weakest registers.
func TestWeakestRegisters(t *testing.T) {
	w := shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular, StarvationFree: shm.Atomic}
	for property, want := range map[string]shm.RegisterModel{
		verdict.MutualExclusion: shm.Safe, verdict.DataRaceFreedom: shm.Safe, verdict.PanicFreedom: shm.Safe,
		verdict.DeadlockFreedom: shm.Regular, verdict.ExitProgress: shm.Regular, verdict.StarvationFreedom: shm.Atomic,
	} {
		require.Equal(t, want, WeakestRegisters(w, property), property)
	}
}
