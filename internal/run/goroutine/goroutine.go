// Package goroutine looks at goroutines from outside: which are waiting, and
// where.
package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// ID returns the number of the calling goroutine, as dumps show it.
func ID() int {
	buf := make([]byte, 64)
	buf = buf[:runtime.Stack(buf, false)]
	return parseID(string(buf))
}

// Frame is one call on a stack.
type Frame struct {
	Func string // with its package path: "shmbench/shm/spin.Pause"
	Pos  string // file:line
}

// Stack is what one goroutine was doing when the world was stopped.
type Stack struct {
	ID     int
	State  string  // the runtime's word for it: "running", "chan receive"
	Frames []Frame // innermost first, inlined calls included
}

var dumps struct {
	sync.Mutex
	buf []byte
}

// Dump stops the world and returns the stack of every goroutine, by ID.
func Dump() map[int]Stack { return DumpThen(func() {}) }

// DumpThen is Dump that calls then as soon as the world goes on, before it reads the stacks.
func DumpThen(then func()) map[int]Stack {
	dumps.Lock()
	defer dumps.Unlock()
	if dumps.buf == nil {
		dumps.buf = make([]byte, 1<<16)
	}
	n := runtime.Stack(dumps.buf, true)
	for n == len(dumps.buf) {
		dumps.buf = make([]byte, 2*len(dumps.buf))
		n = runtime.Stack(dumps.buf, true)
	}
	then()
	return parse(dumps.buf[:n])
}

func parse(dump []byte) map[int]Stack {
	stacks := make(map[int]Stack)
	for block := range bytes.SplitSeq(dump, []byte("\n\n")) {
		if s := parseStack(string(block)); s.ID != 0 {
			stacks[s.ID] = s
		}
	}
	return stacks
}

// parseStack reads one goroutine of a dump:
//
//	goroutine 7 [chan receive, 2 minutes]:
//	pkg.(*T).Method(0xc000010000, 0x1)
//		/dir/file.go:41 +0x65
//	created by main.main in goroutine 1
//		/dir/main.go:12 +0x1d
func parseStack(block string) Stack {
	lines := strings.Split(block, "\n")
	s := Stack{ID: parseID(lines[0])}
	if _, state, ok := strings.Cut(lines[0], "["); ok {
		s.State, _, _ = strings.Cut(state, "]")
		s.State, _, _ = strings.Cut(s.State, ",")
	}
	for i := 1; i+1 < len(lines); i += 2 {
		if strings.HasPrefix(lines[i], "created by ") {
			break
		}
		name := lines[i]
		if j := strings.LastIndexByte(name, '('); j > 0 {
			name = name[:j]
		}
		pos, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		s.Frames = append(s.Frames, Frame{Func: name, Pos: pos})
	}
	return s
}

// parseID returns the number in "goroutine 7 [running]:", 0 if there is none.
func parseID(header string) int {
	rest, ok := strings.CutPrefix(header, "goroutine ")
	if !ok {
		return 0
	}
	digits, _, _ := strings.Cut(rest, " ")
	id, _ := strconv.Atoi(digits)
	return id
}
