package browser

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "compare the steps of every lock and mutant with the checker's, and of ten locks for three processes")

// semantics is the folder of the scripts that step a lock, in their order.
var semantics = []string{"machine.js", "memory.js", "run.js", "search.js", "possible.js"}

// bench is a page that has the scripts, and those of their tests.
var bench = once("semantics.html", func(t *testing.T, path string) {
	var b strings.Builder
	for _, name := range append(semantics[:len(semantics):len(semantics)], "semantics_test.js", "differ_test.js") {
		text, err := os.ReadFile(filepath.Join(root, "check/play/semantics", name))
		require.NoError(t, err)
		fmt.Fprintf(&b, "<script>%s</script>\n", text)
	}
	require.NoError(t, os.WriteFile(path, []byte("<!doctype html><meta charset=utf-8><title>semantics</title>\n"+b.String()), 0o666))
})

// TestSemantics runs the tests of the scripts that step a lock.
func TestSemantics(t *testing.T) {
	x := open(t, bench(t), "")
	results := eval[map[string]string](x, `Object.fromEntries(Object.entries(semanticsTests).map(([name, test]) => [name, test()]))`)
	require.NotEmpty(t, results)
	for name, wrong := range results {
		require.Empty(t, wrong, name)
	}
}

// schedules is the number of random executions of each machine with -all.
var schedules = flag.Int("schedules", 20, "with -all: random executions of each lock on each memory in the test of the player's steps; a tenth as many of each mutant")

// TestDiffer: the scripts make the same steps as the checker on random schedules, on each
// memory, and find the same verdicts. A machine with one other transition differs.
func TestDiffer(t *testing.T) {
	batches := [][]string{
		{"-schedules", "20", "-alg", "^(peterson/peterson|bakery/lamport-released|queue/mcs|queue/clh|tas/ttas|delegation/dsmsynch|rw/mutex)$"},
		{"-schedules", "20", "-mutants", "-alg", "^mutants/(peterson-|mcs-l)"},
		{"-schedules", "10", "-procs", "3", "-alg", "^(queue/ticket|peterson/filter)$"},
	}
	each := strconv.Itoa(*schedules)
	full := [][]string{
		{"-schedules", each},
		{"-schedules", strconv.Itoa(max(*schedules/10, 2)), "-mutants"},
		{"-schedules", each, "-procs", "3",
			"-alg", "^(queue/(ticket|mcs|clh)|peterson/filter|tas/(tas|ttas)|burns/burnslynch|bakery/lamport|fast/lamport|dijkstra/dijkstra)$"},
	}
	if *all {
		batches = full
	}
	program := filepath.Join(dir, "playreference")
	build := exec.Command("go", "build", "-o", program, "./playreference")
	build.Dir = filepath.Join(root, "internal", "tools")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	x := open(t, bench(t), "")
	machines, changed := 0, false
	for _, args := range batches {
		cmd := exec.Command(program, args...)
		cmd.Dir = root
		cmd.Stderr = os.Stderr
		lines, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		scanner := bufio.NewScanner(lines)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			var r struct {
				Lock      string
				NotPlayed string `json:"not_played"`
				Document  struct {
					Machines []struct{ Memory, Partial string }
				}
			}
			require.NoError(t, json.Unmarshal(scanner.Bytes(), &r))
			if r.NotPlayed != "" {
				t.Log(r.NotPlayed)
				continue
			}
			for _, m := range r.Document.Machines {
				if m.Partial != "" {
					t.Logf("%s, %s: %s", r.Lock, m.Memory, m.Partial)
				}
			}
			machines += len(r.Document.Machines)
			require.Empty(t, eval[[]string](x, "differ("+scanner.Text()+")"), "%s", r.Lock)
			if !changed {
				changed = true
				require.NotEmpty(t, eval[[]string](x, "differ(changed("+scanner.Text()+"))"), "a machine with one other transition")
			}
		}
		require.NoError(t, scanner.Err())
		require.NoError(t, cmd.Wait())
	}
	t.Logf("%d machines", machines)
	require.Greater(t, machines, 20)
}
