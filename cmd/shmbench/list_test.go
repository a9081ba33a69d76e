package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// listedNames are the names in what list -json prints with these flags.
func listedNames(t *testing.T, flags string) []string {
	t.Helper()
	out, diag, code := shmbench(t.Context(), append([]string{"list", "-json"}, strings.Fields(flags)...)...)
	require.Equal(t, exitHolds, code, diag)
	var names []string
	var specs []struct{ Name, Family string }
	decode(t, out, &specs)
	require.NotNil(t, specs)
	for _, c := range specs {
		require.True(t, strings.HasPrefix(c.Name, c.Family+"/"))
		names = append(names, c.Name)
	}
	return names
}

// TestListFilters: what is listed has what was asked for, and what is not lacks it.
func TestListFilters(t *testing.T) {
	sample.NeedsAll(t)
	upTo := func(a shm.Algorithm, holds func(n int) bool) bool {
		for n := max(2, a.MinProcs); n <= min(a.MaxProcs, 20); n++ {
			if !holds(n) {
				return false
			}
		}
		return true
	}
	all := catalog.All()
	for flags, has := range map[string]func(shm.Algorithm) bool{
		"":                     func(shm.Algorithm) bool { return true },
		"-class rw":            func(a shm.Algorithm) bool { return a.Class == shm.ReadWrite },
		"-class rmw":           func(a shm.Algorithm) bool { return a.Class != shm.ReadWrite && a.Class&shm.Opaque == 0 },
		"-class opaque":        func(a shm.Algorithm) bool { return a.Class == shm.Opaque },
		"-class swap":          func(a shm.Algorithm) bool { return a.Class == shm.Swap },
		"-has fcfs":            func(a shm.Algorithm) bool { return a.Claims.FCFS },
		"-has deadlock-free":   func(a shm.Algorithm) bool { return a.Claims.DeadlockFree },
		"-has starvation-free": func(a shm.Algorithm) bool { return a.Claims.StarvationFree },
		"-has local-spin-cc":   func(a shm.Algorithm) bool { return a.Claims.LocalSpin.CC },
		"-has local-spin-dsm":  func(a shm.Algorithm) bool { return a.Claims.LocalSpin.DSM },
		"-has reconstructed":   func(a shm.Algorithm) bool { return a.Reconstructed },
		"-has simplified":      func(a shm.Algorithm) bool { return a.Simplified != "" },
		"-procs 4":             func(a shm.Algorithm) bool { return a.MinProcs <= 4 && 4 <= a.MaxProcs },
		"-has bounded-bypass": func(a shm.Algorithm) bool {
			return upTo(a, func(n int) bool { return a.Claims.Bypass.Of(n) != shm.Unbounded })
		},
		"-has bounded-bypass -procs 2": func(a shm.Algorithm) bool {
			return a.MinProcs <= 2 && a.MaxProcs >= 2 && a.Claims.Bypass.Of(2) != shm.Unbounded
		},
		"-has bounded": func(a shm.Algorithm) bool { return len(a.Space) > 0 && upTo(a, a.Space.Bounded) },
		"-has single-writer": func(a shm.Algorithm) bool {
			return len(a.Space) > 0 && !slices.ContainsFunc(a.Space, func(r shm.Registers) bool { return !r.SingleWriter })
		},
		"-has reader-writer": func(a shm.Algorithm) bool { _, ok := built(a).(shm.RWMutex); return ok },
		"-has try":           func(a shm.Algorithm) bool { _, ok := built(a).(shm.TryMutex); return ok },
		"-has abortable":     func(a shm.Algorithm) bool { _, ok := built(a).(shm.AbortableMutex); return ok },
		"-registers safe":    func(a shm.Algorithm) bool { return a.Claims.Weakest.Exclusion == shm.Safe },
		"-registers regular -has starvation-free": func(a shm.Algorithm) bool {
			w := a.Claims.Weakest
			return a.Claims.StarvationFree && w.Exclusion.Covers(shm.Regular) && w.StarvationFree.Covers(shm.Regular)
		},
	} {
		var want []string
		for _, a := range all {
			if has(a) {
				want = append(want, a.Name)
			}
		}
		require.Equal(t, want, listedNames(t, flags), flags)
	}
	swapAndMore := listedNames(t, "-class swap+compare-and-swap")
	require.Contains(t, swapAndMore, "queue/mcs")
	require.Contains(t, swapAndMore, "queue/clh", "it takes less")
	require.NotContains(t, swapAndMore, "peterson/peterson", "what reads and writes has a class of its own")
	fair := listedNames(t, "-class rw -has fcfs,bounded")
	require.Contains(t, fair, "peterson/peterson")
	require.NotContains(t, fair, "bakery/lamport", "its numbers grow")
	require.NotContains(t, listedNames(t, "-has bounded-bypass"), "peterson/filter")
	require.Contains(t, listedNames(t, "-has bounded-bypass -procs 2"), "peterson/filter")
	require.Empty(t, listedNames(t, "-class opaque -has fcfs,bounded -procs 3"))
}

func built(a shm.Algorithm) shm.Mutex {
	m, _ := a.New(a.MinProcs)
	return m
}

func TestListRefusesAnUnknownProperty(t *testing.T) {
	_, stderr, code := shmbench(t.Context(), "list", "-has", "rw")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, `"rw" is no property; the properties are abortable, bounded`)
}

func TestListByFamily(t *testing.T) {
	out, _, code := shmbench(t.Context(), "list", "-alg", "^(tas|peterson)/")
	require.Equal(t, exitHolds, code)
	lines := strings.Split(out, "\n")
	peterson, tas := slices.Index(lines, "peterson"), slices.Index(lines, "tas")
	require.Greater(t, peterson, 3, "the legend comes first")
	require.Greater(t, tas, peterson)
	require.Regexp(t, `(?m)^peterson/peterson +r/w +1\.\.2 +starvation +n-1 +yes +yes +- +yes$`, out)
	require.NotContains(t, out, "peterson/peterson-padded", "a variant is listed with its lock")
	alone, _, _ := shmbench(t.Context(), "list", "-alg", "^peterson/peterson-padded$")
	require.Regexp(t, `(?m)^peterson/peterson-padded +r/w .* -$`, alone)
	none, _, code := shmbench(t.Context(), "list", "-class", "opaque", "-has", "fcfs")
	require.Equal(t, exitHolds, code)
	require.Equal(t, "No lock has all of these properties.\n", none)
}

// TestListFits: no line of the table of all locks is longer than 100 columns.
func TestListFits(t *testing.T) {
	out, _, code := shmbench(t.Context(), "list")
	require.Equal(t, exitHolds, code)
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 100, line)
	}
	require.Equal(t, "n-1", shortBypass(shm.NMinus1))
	require.Equal(t, "unbounded", shortBypass(shm.Formula{}))
	require.Equal(t, "by n", shortBypass(shm.TwoProcs))
}

func TestListLong(t *testing.T) {
	out, _, code := shmbench(t.Context(), "list", "-long", "-alg", "^peterson/peterson")
	require.Equal(t, exitHolds, code)
	require.Regexp(t, `(?m)^peterson$`, out, "a line for the family")
	require.Regexp(t, `(?m)^peterson/peterson +read/write +1\.\.2 +starvation +n-1 +yes +- +CC +q: 2, turn: 1 +atomic/safe/safe +1\+3\+0 +padded, released +Gary L. Peterson, 1981$`, out)
	_, diag, code := shmbench(t.Context(), "list", "-long", "-json")
	require.Equal(t, exitUsage, code)
	require.Contains(t, diag, "-long cannot be combined with -json")
}

func TestWeakestInShort(t *testing.T) {
	require.Equal(t, "-", weakest(shm.Weakest{}))
	require.Equal(t, "safe", weakest(shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe}))
	require.Equal(t, "safe", weakest(shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe}))
	require.Equal(t, "safe/safe/atomic", weakest(shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Atomic}))
	require.Equal(t, "safe/-", weakest(shm.Weakest{Exclusion: shm.Safe}))
}

func TestReconstructedIsSaid(t *testing.T) {
	a := shm.Algorithm{Source: shm.Source{Author: "A. Nobody", Year: 1980}}
	require.Equal(t, "A. Nobody, 1980", source(a))
	a.Reconstructed = true
	require.Equal(t, "A. Nobody, 1980 (reconstructed)", source(a))
	a.Simplified = "the queue"
	require.Equal(t, "A. Nobody, 1980 (reconstructed) (simplified)", source(a))
}

func TestLocalSpinInShort(t *testing.T) {
	require.Equal(t, "-", localSpin(shm.LocalSpin{}))
	require.Equal(t, "CC", localSpin(shm.LocalSpin{CC: true}))
	require.Equal(t, "DSM", localSpin(shm.LocalSpin{DSM: true}))
	require.Equal(t, "CC, DSM", localSpin(shm.LocalSpin{CC: true, DSM: true}))
}

// TestListOne: every algorithm is listed with the file that it is in, which names it.
func TestListOne(t *testing.T) {
	out, _, code := shmbench(t.Context(), "list", "queue/mcs-padded")
	require.Equal(t, exitHolds, code)
	require.Contains(t, out, "\nlocks/queue/mcs.go:\n\npackage queue\n")
	require.Regexp(t, `(?m)^operations +swap\+compare-and-swap$`, out)
	require.Regexp(t, `(?m)^variant of +queue/mcs$`, out)
	out, _, _ = shmbench(t.Context(), "list", "queue/mcs")
	require.Regexp(t, `(?m)^variants +padded, released, padded-released$`, out)
	require.Regexp(t, `(?m)^ +mcs-never-locked: a process `, out)
	require.Regexp(t, `(?m)^measured by run +by default: `, out)
	out, _, code = shmbench(t.Context(), "list", "fcfs/hesselink15exit", "-json")
	require.Equal(t, exitHolds, code)
	var document struct {
		Results []struct{ Name string }
		Sources map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(out), &document))
	require.Equal(t, "fcfs/hesselink15exit", document.Results[0].Name)
	require.Contains(t, document.Sources["locks/fcfs/hesselink15.go"], "hesselink15exit")
	for _, a := range catalog.All() {
		file, text, err := sourceOf(a)
		require.NoError(t, err, a.Name)
		require.Contains(t, "\n"+string(text), "\npackage "+bench.Family(a.Name)+"\n", file)
	}
	t.Chdir(t.TempDir())
	_, inBinary, err := sourceOf(catalog.All()[0])
	require.NoError(t, err)
	require.NotEmpty(t, inBinary, "elsewhere it is the source that the binary carries")
}

// A lock is shown in lines of at most 100 characters, with its results: how far it was explored
// and which published errors it fixes.
func TestListOneIsNarrowAndComplete(t *testing.T) {
	sample.NeedsAll(t)
	head := func(lock string) string {
		out, diag, status := shmbench(t.Context(), "list", lock)
		require.Equal(t, exitHolds, status, diag)
		text, _, ok := strings.Cut(out, ".go:\n\n")
		require.True(t, ok, lock)
		return text
	}
	for _, a := range catalog.All() {
		if a.VariantOf != "" {
			continue
		}
		for line := range strings.Lines(head(a.Name)) {
			require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
		}
	}
	mcs, bakery := head("queue/mcs"), strings.Join(strings.Fields(head("bakery/lamport")), " ")
	for _, want := range []string{"source  ", "file  ", "mutants  ", "known results  ", "published error mcs-k42 (sequentially consistent): "} {
		require.Contains(t, mcs, want)
	}
	require.Contains(t, bakery, "checked on atomic registers: 657 states for n = 2, 75711 states for n = 3, too many states for n = 4; each process makes 2 passages")
	require.NotContains(t, head("tas/tas"), "checked on")
}
