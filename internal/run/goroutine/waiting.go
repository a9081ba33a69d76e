package goroutine

import (
	"path"
	"slices"
	"strings"
)

// asleep are the states of a goroutine that waits for another one. Sleeping
// for a time, a system call and the garbage collector's own waits are not
// among them: they can happen to a goroutine that waits for no other.
var asleep = []string{
	"chan receive", "chan send", "select", "semacquire",
	"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait",
}

const spin = "shmbench/shm/spin."

// Waiting reports whether the goroutine seems to be waiting for another one:
// asleep until a process wakes it, or passing the time in package spin.
func (s Stack) Waiting() bool {
	return slices.Contains(asleep, s.State) || s.in(spin)
}

// PastDoorway reports whether a goroutine in an entry section is certain to have ended its
// doorway, which is wait-free. It is certain if a poll of spin.Until has failed, or if the
// goroutine waits for a message or a condition. It is not certain at spin.Pause, as a doorway
// may pause. It is not certain at a mutex, a send or a select either: processes that come may
// still get their order behind these.
func (s Stack) PastDoorway() bool {
	return s.State == "chan receive" || s.State == "sync.Cond.Wait" || s.in(spin+"Cond.wait")
}

// Delayed reports whether the goroutine does nothing for a reason that need not
// be another process: a sleep, a system call, the garbage collector.
func (s Stack) Delayed() bool {
	return s.State != "running" && s.State != "runnable" && (s.State == "semacquire" || !slices.Contains(asleep, s.State))
}

func (s Stack) in(function string) bool {
	return slices.ContainsFunc(s.Frames, func(f Frame) bool { return strings.HasPrefix(f.Func, function) })
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
