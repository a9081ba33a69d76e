//go:build !linux || (!amd64 && !arm64)

package region

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// supported is the error of a platform without regions.
var supported = fmt.Errorf("region: needs Linux on amd64 or arm64, and this is %s on %s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)

const base = uintptr(0)

func create(string, int) (*os.File, error) { return nil, supported }
func mapFile(*os.File, int) error          { return supported }
func unmap(int) error                      { return supported }
