//go:build linux && (amd64 || arm64)

package region

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// supported is nil: this platform has regions.
var supported error

// create makes a file of a size: a new one at a path, or one without a name, which the
// kernel removes with the last process that has it open. The memory is there when create
// returns, so that no access fails for want of it.
func create(path string, size int) (*os.File, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := unix.Fallocate(int(f.Fd()), 0, 0, int64(size)); err != nil {
		f.Close()
		if path != "" {
			os.Remove(path)
		}
		return nil, fmt.Errorf("%d bytes: %w", size, err)
	}
	return f, nil
}

func open(path string) (*os.File, error) {
	if path != "" {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	fd, err := unix.MemfdCreate("shmbench-region", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	return os.NewFile(uintptr(fd), "/proc/"+strconv.Itoa(os.Getpid())+"/fd/"+strconv.Itoa(fd)), nil
}

// mapFile maps a file at the fixed address of regions.
func mapFile(f *os.File, size int) error {
	got, err := unix.MmapPtr(int(f.Fd()), 0, unsafe.Pointer(at[byte](base)), uintptr(size),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED_NOREPLACE)
	switch {
	case errors.Is(err, unix.EEXIST):
		return fmt.Errorf("the address %#x is in use in this process: a program has one region at a time", base)
	case err != nil:
		return fmt.Errorf("cannot map it at %#x: %w", base, err)
	case uintptr(got) != base: // a kernel before 4.17 takes the address for a wish
		unix.MunmapPtr(got, uintptr(size))
		return fmt.Errorf("the kernel cannot map it at %#x", base)
	}
	return nil
}

func unmap(size int) error { return unix.MunmapPtr(unsafe.Pointer(at[byte](base)), uintptr(size)) }
