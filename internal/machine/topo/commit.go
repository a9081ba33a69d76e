package topo

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// commit returns the commit that the program was built from, "+dirty" if files
// of it were changed, or nothing if that is not known. The Go command stamps
// what "go build" makes; what "go run" and "go test" make and run at once has no
// stamp, and then the checkout around the working directory is asked, if it is
// this module's. Any other program without a stamp may come from anywhere.
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
	if revision == "" && madeToRun() {
		revision, dirty = checkout(info.Main.Path)
	}
	if revision == "" {
		return ""
	}
	revision = revision[:min(12, len(revision))]
	if dirty {
		revision += "+dirty"
	}
	return revision
}

// madeToRun reports whether "go run" or "go test" built this program to run it
// at once: the program is then in a directory for work in progress, or in the
// build cache.
func madeToRun() bool {
	program, err := os.Executable()
	if err != nil {
		return false
	}
	if cache := os.Getenv("GOCACHE"); cache != "" && strings.HasPrefix(program, filepath.Clean(cache)+string(filepath.Separator)) {
		return true
	}
	folders := strings.Split(filepath.ToSlash(filepath.Dir(program)), "/")
	return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(folder, "go-build") })
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
