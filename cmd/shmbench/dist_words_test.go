package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerbsOfTwoWords(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(context.Background(), env{Stdout: &out, Stderr: &errs}, []string{"dist"})
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs.String(), "shmbench: dist goes with another word: there are dist ")
	errs.Reset()
	code = run(context.Background(), env{Stdout: &out, Stderr: &errs}, []string{"dust", "explore"})
	require.Equal(t, exitUsage, code)
	require.Equal(t, "shmbench: no verb \"dust\"; \"shmbench -h\" lists the verbs\n", errs.String())
}
