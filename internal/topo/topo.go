// Package topo describes the machine and the program that a measurement was
// made on and with.
package topo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"shmbench/internal/affinity"
)

// Pair is one line of a description: a key of the benchmark format and its
// value.
type Pair struct{ Key, Value string }

// unknown stands for what the platform does not tell.
const unknown = "unknown"

// Describe returns the description of this machine and program: goos, goarch,
// cpu, cores, caches, governor, kernel, affinity, gomaxprocs, go and commit.
func Describe() []Pair {
	return []Pair{
		{"goos", runtime.GOOS},
		{"goarch", runtime.GOARCH},
		{"cpu", or(cpuModel())},
		{"cores", strconv.Itoa(runtime.NumCPU())},
		{"caches", or(caches())},
		{"governor", or(governor())},
		{"kernel", or(kernel())},
		{"affinity", or(usable())},
		{"gomaxprocs", strconv.Itoa(runtime.GOMAXPROCS(0))},
		{"go", runtime.Version()},
		{"commit", or(commit())},
	}
}

func or(value string) string {
	if value == "" {
		return unknown
	}
	return value
}

// usable lists the processors that the program may use: "0 1 2".
func usable() string {
	cpus, err := affinity.CPUs()
	if err != nil {
		return ""
	}
	return strings.Trim(fmt.Sprint(cpus), "[]")
}

// commit returns the commit that the program was built from, "+dirty" if files
// of it were changed. A program run by "go run" or "go test" does not carry it, and
// then the checkout that is being worked in is asked, if it is this module's.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	revision, dirty := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	if revision == "" {
		if revision, dirty = checkout(info.Main.Path); revision == "" {
			return ""
		}
	}
	revision = revision[:min(12, len(revision))]
	if dirty {
		revision += "+dirty"
	}
	return revision
}

// checkout returns the commit of the git checkout around the working directory
// if a module called module is at its root.
func checkout(module string) (revision string, dirty bool) {
	root := git("rev-parse", "--show-toplevel")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if root == "" || err != nil || !strings.HasPrefix(string(mod), "module "+module+"\n") {
		return "", false
	}
	return git("rev-parse", "HEAD"), git("status", "--porcelain", "--untracked-files=no") != ""
}

// git returns the output of a git command, empty if it fails.
func git(args ...string) string {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
