package bench

import (
	"fmt"
	"reflect"
	"runtime"
)

// codeLine is the size in bytes of the lines of code that current processors fetch.
const codeLine = 64

// LoopPlace returns the offset in a line of code at which the function of the measured
// loop begins. The linker aligns functions to less than a line (32 bytes on amd64). So the
// offset differs from build to build, and the time of a passage with it, by up to a
// nanosecond.
func LoopPlace() string {
	return fmt.Sprintf("byte %d of %d", closedLoop().Entry()%codeLine, codeLine)
}

func closedLoop() *runtime.Func {
	return runtime.FuncForPC(reflect.ValueOf((*process).closed).Pointer())
}
