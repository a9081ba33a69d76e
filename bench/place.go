package bench

import (
	"fmt"
	"reflect"
	"runtime"
)

// codeLine is how many bytes of code the processors of today fetch as one line.
const codeLine = 64

// LoopPlace says where in a line of code the measured loop is, by the byte at which its
// function begins. The linker aligns functions to less than a line (32 bytes on amd64). So
// the place differs from build to build, and the time of a passage with it, by up to a
// nanosecond.
func LoopPlace() string {
	return fmt.Sprintf("byte %d of %d", closedLoop().Entry()%codeLine, codeLine)
}

func closedLoop() *runtime.Func {
	return runtime.FuncForPC(reflect.ValueOf((*process).closed).Pointer())
}
