package main

import (
	"context"
	"testing"

	"shmbench/internal/cli"

	"github.com/stretchr/testify/require"
)

func TestVerify(t *testing.T) {
	code, out, errs := typed(t, context.Background(), "verify -alg ^raymond$")
	require.Equal(t, cli.Holds, code)
	require.Empty(t, errs)
	require.Regexp(t, `(?m)^raymond +holds\* +holds\* +holds\* +holds\* +holds\* +holds\* +deadlock freedom +- +- +deadlock freedom +- +mutual exclusion +deadlock freedom +deadlock freedom +deadlock freedom$`, out)

	code, _, errs = typed(t, context.Background(), "verify -alg nope")
	require.Equal(t, cli.Usage, code)
	require.Contains(t, errs, `-alg nope: no algorithm matches; dmesim list shows the names`)

	ctx, stop := context.WithCancel(context.Background())
	stop()
	code, out, errs = typed(t, ctx, "verify -json")
	require.Equal(t, cli.Undecided, code)
	require.Contains(t, out, `"complete": false`)
	require.Equal(t, "dmesim verify: interrupted at central\n", errs)
}
