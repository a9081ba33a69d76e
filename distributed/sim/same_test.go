package sim

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata")

// The committed bytes come out on every platform: run it there.
func TestSameSeedSameBytes(t *testing.T) {
	var got []byte
	for _, name := range []string{"ricart-agrawala", "raymond", "mueller"} {
		o := system(find(t, name), 7, 2, Poisson(1.5), 1000)
		o.Delay = Erlang(3, 40*time.Millisecond)
		o.Section = Exponential(10 * time.Millisecond)
		line, err := json.Marshal(map[string]any{"algorithm": name, "summary": Summarize([]Result{run(t, o)})})
		require.NoError(t, err)
		got = append(append(got, line...), '\n')
	}
	const file = "testdata/runs.json"
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
