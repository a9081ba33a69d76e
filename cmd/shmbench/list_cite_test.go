package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/queue"
	"shmbench/shm"
)

func TestCite(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, citeOne(&b, []string{"queue/mcs"}))
	require.True(t, strings.HasPrefix(b.String(), "@article{mellorcrummey1991algorithms,\n"), b.String())
	require.ErrorContains(t, citeOne(&b, []string{"queue/nosuch"}), "queue/nosuch: there is no lock of this name")

	b.Reset()
	require.NoError(t, citeAll(&b, []shm.Algorithm{
		queue.MCS(shm.Packed, shm.Sequential), queue.MCS(shm.Padded, shm.Sequential), queue.CLH(shm.Padded, shm.Sequential)}))
	require.Equal(t, 2, strings.Count(b.String(), "@"), "each source is there once")
}
