//go:build race

package spin

const racing = true
