//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/server"
	"shmbench/internal/cli"
)

// leftBehind writes the histories of three nodes that entered in turn, each with a
// clock of its own, and the resource that they wrote to. The permission of node 1
// was given while node 0 was in the critical section, and both wrote, if the
// resource has no fence.
func leftBehind(t *testing.T, fenced bool) (files []string, where string) {
	dir := t.TempDir()
	where = filepath.Join(dir, "resource")
	r, err := resource.OpenFile(where, fenced)
	require.NoError(t, err)
	var nodes []*history.File
	for i := range 3 {
		name := filepath.Join(dir, fmt.Sprint(i))
		f, err := history.Create(name, history.Process{Run: "00ff", Algorithm: "jetstream-lease", Node: distributed.ID(i), Nodes: 3, PID: 100 + i, Clock: fmt.Sprint("machine", i)})
		require.NoError(t, err)
		nodes, files = append(nodes, f), append(files, name)
	}
	enter := func(i int, token int64) history.Entry {
		e := history.Entry{Asked: 1000 * token, Entered: 1000*token + 1, Fence: distributed.Fence{Count: token}}
		require.NoError(t, nodes[i].Ask(&e))
		require.NoError(t, nodes[i].Enter(&e))
		e.Value, err = r.Read(t.Context(), e.Fence)
		require.NoError(t, err)
		return e
	}
	leave := func(i int, e history.Entry) {
		e.Left, e.Write = e.Entered+5, history.Taken
		if r.Write(t.Context(), e.Fence, e.Value+1) != nil {
			e.Write = history.Refused
		}
		require.NoError(t, nodes[i].Leave(&e))
	}
	for k := range int64(6) {
		leave(int(k%3), enter(int(k%3), k+1))
	}
	first, second := enter(0, 7), enter(1, 8)
	leave(1, second)
	leave(0, first)
	return files, where
}

// The judge sees a violation without comparing times: by the writes that the resource
// took and refused, or by the histories.
func TestJudgeOfSeveralMachines(t *testing.T) {
	for _, fenced := range []bool{false, true} {
		says := "8 entries: VIOLATED: nodes 0 and 1, with tokens 0.7 and 0.8, both read 6 and wrote 7: an update was lost, 1 of 8 in all\n"
		state := "counter 7: 8 writes taken, 1 lost, 0 accesses refused; the greatest token 0.8\n"
		ends := cli.Violated
		if fenced {
			says = "8 entries: VIOLATED: the resource refused a write of node 0 with token 0.7: it had seen a greater token, so that another permission was given before the node left\n"
			state = "counter 7: 7 writes taken, 0 lost, 1 accesses refused; the greatest token 0.8\n"
			ends = cli.Holds
		}
		files, where := leftBehind(t, fenced)
		out, errs, status := dmebench(t.Context(), append([]string{"judge"}, files...)...)
		require.Equal(t, []any{says, "", cli.Violated}, []any{out, errs, status})
		out, errs, status = dmebench(t.Context(), append([]string{"judge", "-resource", where}, files...)...)
		require.Equal(t, []any{says, "", cli.Violated}, []any{out, errs, status})
		out, errs, status = dmebench(t.Context(), "resource", "-resource", where)
		require.Equal(t, []any{state, "", ends}, []any{out, errs, status})

		// The history of the node that wrote late is missing.
		out, errs, status = dmebench(t.Context(), "judge", files[1], files[2])
		require.Equal(t, "5 entries: not decided: the histories of these nodes are missing: 0\n", out)
		require.Equal(t, []any{"dmebench judge: not decided: the histories of these nodes are missing: 0\n", cli.Undecided}, []any{errs, status})
		out, _, status = dmebench(t.Context(), "judge", "-resource", where, files[1], files[2])
		require.Equal(t, cli.Violated, status, out)

		// Each machine has a clock of its own.
		_, errs, status = dmebench(t.Context(), append([]string{"judge", "-one-machine"}, files...)...)
		require.Equal(t, cli.Usage, status)
		require.Contains(t, errs, "are not known to be of one machine: without -one-machine the judge compares no times")
	}
}

// Nothing to judge by is no verdict.
func TestJudgeOfNothing(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, errs, status := dmebench(t.Context(), "judge", empty)
	require.Equal(t, cli.Usage, status)
	require.Equal(t, fmt.Sprintf("dmebench judge: %s: it is empty: a history begins with a line \"begin\"\n", empty), errs)

	var files []string
	for i := range 2 {
		name := filepath.Join(dir, fmt.Sprint(i))
		f, err := history.Create(name, history.Process{Run: "00ff", Algorithm: "raymond", Node: distributed.ID(i), Nodes: 2, PID: 100 + i, Clock: "-"})
		require.NoError(t, err)
		require.NoError(t, f.Close())
		files = append(files, name)
	}
	out, errs, status := dmebench(t.Context(), append([]string{"judge", "-json"}, files...)...)
	require.Equal(t, cli.Undecided, status)
	require.Contains(t, out, `"complete": false`)
	require.Equal(t, "dmebench judge: not decided: no thread has entered: there is nothing to judge\n", errs)
}

// A resource that is not there is an error in time.
func TestResourceThatIsNotThere(t *testing.T) {
	const run = "0123456789abcdef0123456789abcdef"
	_, errs, status := dmebench(t.Context(), "resource", "-resource", filepath.Join(t.TempDir(), "none"))
	require.Equal(t, cli.Usage, status)
	require.Contains(t, errs, "there is no such file")
	_, errs, status = dmebench(t.Context(), "resource", "-resource", "kv", "-run", run)
	require.Equal(t, cli.Usage, status)
	require.Equal(t, "dmebench resource: -resource kv: -nats or $DMEBENCH_NATS names the NATS server that holds it\n", errs)
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	_, errs, status = dmebench(t.Context(), "resource", "-resource", "kv", "-run", run, "-nats", s.URL())
	require.Equal(t, cli.Usage, status)
	require.Contains(t, errs, "the NATS server has no such store")
	_, _, status = dmebench(t.Context(), "judge", "-within", (-time.Second).String(), "x")
	require.Equal(t, cli.Usage, status)
}
