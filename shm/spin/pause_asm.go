//go:build amd64 || arm64

package spin

// pause is the processor's hint that this is a spin-wait loop.
func pause()
