package goroutine

import (
	"path"
	"slices"
	"strings"
)

// asleep are the states of a goroutine that waits for another one. Sleeping
// for a time, a system call and the garbage collector's own waits are not
// among them: they can happen to a process that needs nobody.
var asleep = []string{
	"chan receive", "chan send", "select", "semacquire",
	"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait",
}

const spin = "shmbench/spin."

// Waiting reports whether the goroutine is certain to be waiting for another
// one: asleep until somebody wakes it, or polling through package spin.
func (s Stack) Waiting() bool {
	return slices.Contains(asleep, s.State) ||
		slices.ContainsFunc(s.Frames, func(f Frame) bool { return strings.HasPrefix(f.Func, spin) })
}

// String returns the state and the place: "[running] at lamport.go:110
// (*LamportMutex).Lock".
func (s Stack) String() string { return "[" + s.State + "] at " + s.Place() }

// Place returns the innermost call that is neither the runtime's nor the
// waiting's own, as "lamport.go:110 (*LamportMutex).Lock".
func (s Stack) Place() string {
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Func, spin) || library(f.Func) {
			continue
		}
		name := f.Func[strings.LastIndexByte(f.Func, '/')+1:]
		if _, after, ok := strings.Cut(name, "."); ok {
			name = after
		}
		return path.Base(strings.ReplaceAll(f.Pos, `\`, "/")) + " " + name
	}
	return "no known place"
}

// library reports whether a function is the standard library's part of a
// wait.
func library(name string) bool {
	for _, p := range []string{"runtime.", "internal/", "sync.", "sync/atomic.", "time.", "syscall.", "golang.org/x/sys/"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
