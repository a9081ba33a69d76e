package region

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"unsafe"
)

// headerBytes is how much of a region its header has.
const headerBytes = uintptr(4096)

// maxRoots is how many objects a region can have.
const maxRoots = 128

// header is at the start of a region. The words that Attach reads from the file come first.
type header struct {
	fixed
	policy, processes atomic.Uint32 // see Region.Wait
	roots             atomic.Uint32
	next              uint64 // address of the first free byte; used by the creator
	root              [maxRoots]rootEntry
}

// fixed is what New writes once.
type fixed struct {
	Magic   [8]byte
	Version uint32
	_       uint32
	Size    uint64
	Program [32]byte // checksum of the program
}

// rootEntry is the address of an object and of its type.
type rootEntry struct{ address, t uint64 }

var magic = [8]byte{'s', 'h', 'm', 'r', 'e', 'g', 'i', 'o'}

// version is that of the header and of how objects lie behind it.
const version = 1

func (r *Region) header() *header { return at[header](base) }

func (h *header) write(p *program, size uintptr) {
	h.fixed = fixed{Magic: magic, Version: version, Size: uint64(size), Program: p.sum}
	h.next = uint64(base + headerBytes)
}

// readHeader returns the size of the region in a file, or why a program cannot attach to it.
func readHeader(f *os.File, p *program) (uintptr, error) {
	var h fixed
	err := binary.Read(io.NewSectionReader(f, 0, int64(unsafe.Sizeof(h))), binary.NativeEndian, &h)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, err
	}
	info, statErr := f.Stat()
	switch {
	case err != nil || h.Magic != magic:
		return 0, errors.New("the file is no region")
	case h.Version != version:
		return 0, fmt.Errorf("the region has format %d, and this program reads format %d", h.Version, version)
	case h.Program != p.sum:
		return 0, errors.New("another program made the region, or another build of this one: all processes must run the same file")
	case statErr != nil:
		return 0, statErr
	case uint64(info.Size()) != h.Size:
		return 0, fmt.Errorf("the file has %d bytes, and its header says %d", info.Size(), h.Size)
	}
	return uintptr(h.Size), nil
}
