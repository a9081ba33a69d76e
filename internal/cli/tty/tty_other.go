//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package tty

import "os"

func isTerminal(*os.File) bool { return false }
