//go:build !race

package spin

// racing says whether the race detector is compiled in.
const racing = false
