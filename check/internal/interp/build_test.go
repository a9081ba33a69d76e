package interp

import (
	"context"
	"fmt"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConstructors: which functions build a lock, and why the others do not.
func TestConstructors(t *testing.T) {
	const no = " is not a constructor: it must be a func(n int) T or func(n int) (T, error) without type parameters; further parameters may only be numbers of package shm, such as shm.Layout, which are 0 here"
	const unknown = "writes to an address that is not known"
	for constructor, want := range map[string]string{
		"NewPlain": "", "NewOrFails": "", "NewInterface": "", "NewFurther": "", "NewReadsUnknown": "", "NewCountsUp": "",
		"NewNone": "NewNone" + no, "NewOfString": "NewOfString" + no, "NewVariadic": "NewVariadic" + no, "NewAndString": "NewAndString" + no,
		"NewAndOwn": "NewAndOwn" + no, "NewAndStruct": "NewAndStruct" + no, "NewNothing": "NewNothing" + no, "NewThree": "NewThree" + no,
		"NewGeneric": "NewGeneric" + no, "NewNil": "NewNil(2) returns nil", "NewPanics": "panics: 2",
		"NewEndless":   "runs without end",
		"NewUnlocked":  "*shmbench/check/internal/interp/testdata/machines.Own has no method Lock(pid int)",
		"NewCopy":      "machines.Plain has no method Lock(pid int), but *shmbench/check/internal/interp/testdata/machines.Plain has one: return a pointer",
		"NewMutex":     "*sync.Mutex has no method Lock(pid int): its Lock is a func()",
		"NewWritesNil": "assignment to an entry of a nil map", "NewWritesUnknown": unknown, "NewWritesUnknownMap": unknown,
		"NewDeletesUnknown": unknown, "NewClearsUnknown": unknown, "NewCopiesUnknown": unknown,
		"NewAddsUnknown": "makes an access to an address that is not known",
	} {
		m := machine(t)
		c, err := m.Constructor(constructor)
		require.NoError(t, err, constructor)
		if err = m.Build(c, 2); want == "" {
			require.NoError(t, err, constructor)
		} else {
			require.ErrorContains(t, err, want, constructor)
		}
	}
	m := machine(t)
	_, err := m.Constructor("NewMissing")
	require.EqualError(t, err, "package shmbench/check/internal/interp/testdata/machines has no function NewMissing")
	_, err = m.Constructor("Shared")
	require.ErrorContains(t, err, "Shared of package shmbench/check/internal/interp/testdata/machines is no function: the checker takes the one that builds the lock")
	c, err := m.Constructor("NewOrFails")
	require.NoError(t, err)
	var not *NotBuiltError
	require.ErrorAs(t, m.Build(c, 3), &not)
	require.EqualError(t, not, "NewOrFails(3) returns an error: it cannot build a lock for 3 processes")
}

// TestFurther: what a constructor takes beside n.
func TestFurther(t *testing.T) {
	m := machine(t)
	for constructor, want := range map[string]string{
		"NewPlain": "[] true", "NewFurther": "[shmbench/shm.Layout shmbench/shm.Layout] true", "NewAndString": "[] false",
		"NewAndOwn": "[] false", "NewAndStruct": "[] false", "NewNone": "[] false", "NewOfString": "[] false", "NewVariadic": "[] false",
	} {
		c, err := m.Constructor(constructor)
		require.NoError(t, err)
		further, ok := Further(c.Fn.Signature)
		require.Equal(t, want, fmt.Sprint(further, ok), constructor)
	}
}

// TestSpecifications finds the constructor of a specification by its name.
func TestSpecifications(t *testing.T) {
	m := machine(t)
	for name, want := range map[string]string{"one": "NewOrFails", "two": "okay"} {
		c, err := m.Spec("Specs", name)
		require.NoError(t, err)
		require.Equal(t, want, c.Fn.Name())
		require.NoError(t, m.Build(c, 2))
	}
	_, err := m.Spec("Specs", "three")
	require.EqualError(t, err, `shmbench/check/internal/interp/testdata/machines.Specs lists no algorithm "three"`)
	_, err = m.Spec("NoSpecs", "one")
	require.ErrorContains(t, err, "lists no algorithm")
	_, err = m.Spec("Lists", "one")
	require.ErrorContains(t, err, "has no function Lists")
	_, err = m.Spec("NewPanics", "one")
	require.ErrorContains(t, err, "NewPanics takes other parameters")
	_, err = m.Spec("Specs", "one", []int{0})
	require.ErrorContains(t, err, "Specs takes other parameters")
	for name, paths := range map[string][][]int{"0 0.1 1.0": {{0}, {0, 1}, {1, 0}}, "": {{}}} {
		c, err := m.Spec("Placed", name, paths...)
		require.NoError(t, err)
		require.Equal(t, "okay", c.Fn.Name())
	}
	_, err = m.Spec("Placed", "0.1", []int{0}, []int{1})
	require.ErrorContains(t, err, "lists no algorithm", "the list of other paths is another")
}

// TestMemory: what New lets go of does not count, and what it keeps does.
func TestMemory(t *testing.T) {
	m := machine(t)
	m.Memory(5_000 * cellBytes)
	c, err := m.Constructor("NewLarge")
	require.NoError(t, err)
	require.NoError(t, m.Build(c, 50))
	require.Equal(t, Num(49), m.Initial(cellOf(t, m, "kept[0]")))

	m = machine(t)
	m.Memory(900 * cellBytes)
	c, err = m.Constructor("NewLarge")
	require.NoError(t, err)
	err = m.Build(c, 0)
	require.ErrorContains(t, err, "allocates more than 900 words of memory")
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	require.True(t, fault.Open, "with more memory it could be built")
	require.True(t, fault.Refused)
}

// TestLongConstructors are given up, the sooner where words are narrow, or when
// no process waits any more.
func TestLongConstructors(t *testing.T) {
	m := machine(t)
	m.Word(map[types.BasicKind]int{})
	c, err := m.Constructor("NewLoops")
	require.NoError(t, err)
	require.NoError(t, m.Build(c, 300_000))

	m = machine(t)
	m.Word(map[types.BasicKind]int{types.Uint8: 4})
	err = m.Build(c, 300_000)
	require.ErrorContains(t, err, "still in a loop without an access to shared memory after")
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	require.True(t, fault.Open)

	m = machine(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.ctx = ctx
	require.ErrorIs(t, m.Build(c, 10), context.Canceled)
}
