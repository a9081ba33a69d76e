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
	name := func(name string) string { return name }
	for i := range 60 {
		list = append(list, fmt.Sprint("queue/lock", i))
	}
	chosen := Of(t, list, name, 3)
	require.InDelta(t, 20, len(chosen), 10)
	for _, at := range []int{0, 30, 60} {
		more := Of(t, slices.Insert(slices.Clone(list), at, "tas/new"), name, 3)
		require.Equal(t, chosen, slices.DeleteFunc(more, func(name string) bool { return name == "tas/new" }))
	}
	require.Equal(t, list, Of(t, list, name, 1))
	require.Len(t, Of(t, list, name, 1<<30), 1)
	require.Empty(t, Of(t, nil, name, 2))
	t.Run("another test", func(t *testing.T) {
		require.NotEqual(t, chosen, Of(t, list, name, 3))
	})
}
