package table

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	left := New(&b, "name", "n")
	fmt.Fprintf(left, "queue/mcs\t2\ntas\t100\n")
	require.NoError(t, left.Flush())
	require.Equal(t, "name       n\nqueue/mcs  2\ntas        100\n", b.String())
	b.Reset()
	right := Right(&b)
	fmt.Fprintf(right, "1\t20\t\n300\t4\t\n")
	require.NoError(t, right.Flush())
	require.Equal(t, "    1  20\n  300   4\n", b.String())
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestFlushReturnsTheError(t *testing.T) {
	w := New(full{}, "name")
	require.EqualError(t, w.Flush(), "full")
}
