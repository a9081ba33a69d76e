package catalog_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Imports run one way: command, instruments, catalogue, algorithms, spin and
// shm, standard library. Each package may import only layers below its own;
// "check" and "bench" are on one layer and so never see each other.
func TestImportsRunOneWay(t *testing.T) {
	layers := [][]string{
		{"shm", "internal"},
		{"spin"},
		{"bakery", "peterson", "tas", "cas", "queue", "baseline"},
		{"tournament"},
		{"catalog", "mutants"},
		{"locktest"},
		{"stress", "bench", "check"},
		{"report"},
		{"cmd"},
	}
	layer := map[string]int{}
	for i, packages := range layers {
		for _, p := range packages {
			layer[p] = i
		}
	}
	algorithms := layer["catalog"] // what is below may not reach the instruments' helpers

	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "shmbench/...").Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Greater(t, len(lines), 10)
	for _, line := range lines {
		fields := strings.Fields(line)
		importer := fields[0]
		from := family(importer)
		if from == "distributed" || from == "internal" {
			continue // a wing of its own; internal packages are checked as imports
		}
		level, known := layer[from]
		require.True(t, known, "%s is in no layer: add it to this test", importer)
		for _, imported := range fields[1:] {
			to := family(imported)
			switch {
			case to == "", to == from:
			case to == "distributed":
				require.Equal(t, "cmd", from, "%s imports %s", importer, imported)
			default:
				require.Less(t, layer[to], level, "%s imports %s", importer, imported)
				if to == "internal" {
					require.Greater(t, level, algorithms, "%s imports %s", importer, imported)
				}
			}
		}
	}
}

// An algorithm knows nothing of the instruments, nor of any library.
func TestAlgorithmsImportTheContractOnly(t *testing.T) {
	allowed := map[string]bool{"sync/atomic": true, "math/bits": true, "shmbench/shm": true, "shmbench/spin": true, "shmbench/peterson": true}
	for _, pkg := range []string{"bakery", "peterson", "tournament", "tas", "cas", "queue"} {
		out, err := exec.Command("go", "list", "-f", `{{join .Imports " "}}`, "shmbench/"+pkg).Output()
		require.NoError(t, err)
		for _, imported := range strings.Fields(string(out)) {
			require.True(t, allowed[imported], "%s imports %s", pkg, imported)
		}
	}
}

// family returns the first path element below the module, or "".
func family(importPath string) string {
	rest, ours := strings.CutPrefix(importPath, "shmbench/")
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}
