package sample

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A new thing changes nothing about whether another one is tested, wherever in
// the list it stands.
func TestTheChoiceIsOfNames(t *testing.T) {
	var list []string
	for i := range 60 {
		list = append(list, fmt.Sprint("queue/lock", i))
	}
	chosen := Of(t, list, Name, 3)
	require.InDelta(t, 20, len(chosen), 10)
	for _, at := range []int{0, 30, 60} {
		more := Of(t, slices.Insert(slices.Clone(list), at, "tas/new"), Name, 3)
		require.Equal(t, chosen, slices.DeleteFunc(more, func(name string) bool { return name == "tas/new" }))
	}
	require.Equal(t, list, Of(t, list, Name, 1))
	require.Len(t, Of(t, list, Name, 1<<30), 1)
	require.Empty(t, Of(t, nil, Name, 2))
	t.Run("another test", func(t *testing.T) {
		require.NotEqual(t, chosen, Of(t, list, Name, 3))
	})
}

// TestParts: with -part each thing is in one part besides the sample, and the parts are of
// about the same size, also of the things that are in the sample.
func TestParts(t *testing.T) {
	t.Cleanup(func() { part = division{} })
	var list []string
	for i := range 400 {
		list = append(list, fmt.Sprint("queue/lock", i))
	}
	inSample := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !Drawn(name, 4) })
	var chosen []string
	for _, text := range []string{"1/4", "2/4", "3/4", "4/4"} {
		require.NoError(t, part.Set(text))
		require.Equal(t, text, part.String())
		without := func(name string) bool { return !Chosen(name) }
		chosen = append(chosen, slices.DeleteFunc(slices.Clone(list), without)...)
		require.InDelta(t, len(inSample)/4, len(slices.DeleteFunc(slices.Clone(inSample), without)), 15, text)
		require.Subset(t, Of(t, list, Name, 4), Some(t, list, Name, 4))
		require.InDelta(t, 175, len(Of(t, list, Name, 4)), 30, "a quarter, and a quarter of the rest")
	}
	require.ElementsMatch(t, list, chosen)
	for _, text := range []string{"", "1", "0/4", "5/4", "1/0", "1/4x", "x", "-1/4", "1/4/2"} {
		require.Error(t, part.Set(text), text)
	}
}
