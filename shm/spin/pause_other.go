//go:build !amd64 && !arm64

package spin

// pause has no portable form; the call itself is the delay.
//
//go:noinline
func pause() {}
