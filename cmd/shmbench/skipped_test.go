package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSkipped(t *testing.T) {
	two := []string{"dekker/dekker", "peterson/peterson"}
	for _, c := range []struct {
		skipped skipped
		want    string
	}{
		{skipped{}, ""},
		{skipped{4: two, 8: two}, "not for 4, 8 processes, and skipped there: dekker/dekker, peterson/peterson\n"},
		{skipped{1: {"a"}, 2: {"a", "b"}, 4: {"a"}}, "not for 1, 4 processes, and skipped there: a\nnot for 2 processes, and skipped there: a, b\n"},
		{skipped{1: {"a"}, 16: {"b"}}, "not for 1 process, and skipped there: a\n"},
	} {
		var said strings.Builder
		c.skipped.say(&said, []int{1, 2, 4, 8})
		require.Equal(t, c.want, said.String())
	}
}
