package interp

import "errors"

// ErrReclassified is returned when memory that was taken for private or
// constant has turned out to be shared: whatever has been learned before is
// void, and learning starts again.
var ErrReclassified = errors.New("memory reclassified")

// Restart learns what depends on how memory is classified, again as long as memory is
// reclassified on the way. It ends, as memory is reclassified in one direction only.
func Restart[T any](learn func() (T, error)) (T, error) {
	for {
		learned, err := learn()
		if !errors.Is(err, ErrReclassified) {
			return learned, err
		}
	}
}
