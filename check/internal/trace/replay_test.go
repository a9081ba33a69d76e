package trace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// TestRead: a file of traces is read as it was written, and a trace that no lock can have is refused.
func TestRead(t *testing.T) {
	steps := func(pids ...int) (all []execution.Step) {
		for _, pid := range pids {
			all = append(all, execution.Step{Process: pid, Op: "load"})
		}
		return all
	}
	const property = "mutual exclusion"
	for _, c := range []struct {
		name  string
		trace Trace
		err   string // that follows the name of the file; "" if there is none
	}{
		{"steps", Trace{Property: property, N: 2, Steps: steps(0, 1), Cycle: -1}, ""},
		{"a cycle", Trace{Property: property, N: 2, Steps: steps(0, 1), Cycle: 1}, ""},
		{"a cycle of all steps", Trace{N: 1, Steps: steps(0, 0), Cycle: 0}, ""},
		{"a cycle without steps", Trace{N: 2, Steps: steps(0, 1), Cycle: 2}, ""},
		{"the most processes", Trace{N: source.MaxProcs, Steps: steps(source.MaxProcs - 1), Cycle: -1}, ""},
		{"no steps, and a property", Trace{Property: property, N: 1, Cycle: -1}, ""},
		{"no steps", Trace{N: 2, Cycle: -1}, `: the one for "" has n = 2 and 0 steps`},
		{"no steps, and a cycle", Trace{Property: property, N: 2, Cycle: 0}, `: the one for "mutual exclusion" has n = 2 and 0 steps`},
		{"no processes", Trace{Property: property, N: 0, Cycle: -1}, `: the one for "mutual exclusion" has n = 0 and 0 steps`},
		{"too many processes", Trace{N: source.MaxProcs + 1, Steps: steps(0), Cycle: -1}, `: the one for "" has n = 17 and 1 steps`},
		{"a cycle before the beginning", Trace{N: 2, Steps: steps(0, 1), Cycle: -2}, `: the one for "" has n = 2 and 2 steps`},
		{"a cycle behind the end", Trace{N: 2, Steps: steps(0, 1), Cycle: 3}, `: the one for "" has n = 2 and 2 steps`},
		{"a process too many", Trace{N: 2, Steps: steps(0, 2), Cycle: -1}, `: step 2 is by process 2 of 2`},
		{"a negative process", Trace{N: 2, Steps: steps(-1), Cycle: -1}, `: step 1 is by process -1 of 2`},
	} {
		file := filepath.Join(t.TempDir(), "traces.json")
		good := &Trace{N: 1, Steps: steps(0), Cycle: -1}
		text, err := json.Marshal(map[string]any{"format": Format, "results": []*Trace{good, &c.trace}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o666))
		got, err := Read(file)
		if c.err == "" {
			require.NoError(t, err, c.name)
			require.Equal(t, []*Trace{good, &c.trace}, got, c.name)
		} else {
			require.EqualError(t, err, file+" is not a file of traces"+c.err, c.name)
		}
	}
}

// TestReadOtherFiles: what is no file of traces is refused, with its name.
func TestReadOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"{":                   " is not a file of traces: ",
		`{"format": "other"}`: ` is not a file of traces that this version reads: its format is "other", not "` + string(Format) + `"`,
	} {
		file := filepath.Join(t.TempDir(), "traces.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		_, err := Read(file)
		require.ErrorContains(t, err, file+want)
	}
	_, err := Read(filepath.Join(t.TempDir(), "missing.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestNoReplayOnWeakRegisters: the registers of compiled code are atomic.
func TestNoReplayOnWeakRegisters(t *testing.T) {
	var out strings.Builder
	require.EqualError(t, (&Trace{RegisterModel: shm.Regular}).Replay(t.Context(), &out), "a trace on regular registers cannot be run: those of compiled Go are atomic")
	require.Empty(t, out.String())
}
