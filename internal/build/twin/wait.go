//go:build go1.24

package twin

// Paused is called, if it is not nil, where a process that waits has polled in
// vain. Set it before the first wait.
var Paused func()

// Cond, Until and Pause are those of package spin, told of.
type Cond = func() bool

func Until(cond Cond) {
	for !cond() {
		Pause()
	}
}

func Pause() {
	if Paused != nil {
		Paused()
	}
}
