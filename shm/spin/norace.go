//go:build !race

package spin

// racing says whether the race detector is compiled in. (internal/machine/race says it
// too, to the instruments; a lock depends on nothing of theirs.)
const racing = false
