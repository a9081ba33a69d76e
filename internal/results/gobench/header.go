// Package gobench writes and reads the lines of a file in the Go benchmark format,
// and the facts about the measurement in it.
//
// A fact about a measurement is configuration or provenance.
//
// Configuration is a line "key: value" of the Go benchmark format. Benchstat
// compares two results only if their configuration is the same. So the
// configuration is what Go's own benchmarks have (goos, goarch, pkg,
// cpu). It is also what changes the thing that is measured (gomaxprocs,
// wait, pin, topology, model). [IsConfiguration] lists the keys.
//
// Provenance is everything else: the command, the commit, the kernel, the time of
// a sample. It is a line
//
//	# key: value
//
// which every reader of the Go benchmark format skips, because the line does not
// begin with a lower-case letter. Package benchfile reads it back: each result
// has it as configuration that benchfmt calls internal, whose Config.File is
// false. A line of provenance holds for the results below it, until a line with
// the same key and another value. So a fact that has several values, such as the
// specifications of two locks, needs a key for each: "lock/queue/mine".
// A value is one line; WriteHeader escapes the ends of lines in it.
package gobench

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"shmbench/internal/machine/topo"
)

// measured are the keys of what changes the thing that is measured, and platform
// those of Go's own benchmarks, each in the order in which they are written.
var (
	measured = []string{"model", "topology", "gomaxprocs", "wait", "pin"}
	platform = []string{"goos", "goarch", "pkg", "cpu"}
)

// IsConfiguration reports whether the fact called key is configuration. Every
// other fact is provenance.
func IsConfiguration(key string) bool {
	return slices.Contains(measured, key) || slices.Contains(platform, key)
}

// prefix begins a line of provenance.
const prefix = "# "

// WriteHeader writes what comes before the benchmark lines: of each unit whether
// "lower" or "higher" is better, the provenance in the order given, and the
// configuration as "go test -bench" orders it.
func WriteHeader(w io.Writer, units iter.Seq2[string, string], facts []topo.Pair) error {
	for unit, better := range units {
		if _, err := fmt.Fprintf(w, "Unit %s better=%s\n", unit, better); err != nil {
			return err
		}
	}
	for _, f := range facts {
		if IsConfiguration(f.Key) {
			continue
		}
		if _, err := fmt.Fprintln(w, Provenance(f)); err != nil {
			return err
		}
	}
	for _, key := range slices.Concat(measured, platform) {
		for _, f := range facts {
			if f.Key != key {
				continue
			}
			if _, err := fmt.Fprintf(w, "%s: %s\n", f.Key, oneLine(f.Value)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Provenance returns a fact as a line of provenance, without the end of the line.
func Provenance(f topo.Pair) string { return prefix + f.Key + ": " + oneLine(f.Value) }

var ends = strings.NewReplacer("\n", `\n`, "\r", `\r`)

func oneLine(value string) string { return ends.Replace(value) }

// ParseProvenance returns the fact in a line that Provenance made. It is false for
// other lines. The key begins with a lower-case letter and has neither spaces nor
// a colon.
func ParseProvenance(line string) (topo.Pair, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), prefix)
	key, value, found := strings.Cut(rest, ": ")
	if !ok || !found || key == "" || key[0] < 'a' || key[0] > 'z' || strings.ContainsAny(key, " \t:") {
		return topo.Pair{}, false
	}
	return topo.Pair{Key: key, Value: value}, true
}

// former are the keys that were configuration before there was provenance.
var former = []string{
	"format", "ended", "fork", "cores", "caches", "governor", "kernel", "affinity", "go", "commit",
	"pair", "loop", "duration", "counters", "command", "selfcheck", "about",
}

// WasConfiguration reports whether the fact called key is provenance that a file of
// the old form has as configuration.
func WasConfiguration(key string) bool { return slices.Contains(former, key) }
