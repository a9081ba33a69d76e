package region

import (
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// program is what a process knows about the file that it runs.
type program struct {
	sum      [sha256.Size]byte
	segments []extent // where the file and its variables lie in memory
}

// errPIE is the error of a program whose addresses differ from process to process.
var errPIE = errors.New("region: this program is a position-independent executable, and its addresses differ between processes: build it with -buildmode=exe")

// thisProgram reads the file of the running program, once.
var thisProgram = sync.OnceValues(func() (*program, error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, fmt.Errorf("region: %w", err)
	}
	defer f.Close()
	return readProgram(f)
})

// file is an executable file.
type file interface {
	io.Reader
	io.ReaderAt
}

func readProgram(f file) (*program, error) {
	binary, err := elf.NewFile(f)
	if err != nil {
		return nil, fmt.Errorf("region: the program's file: %w", err)
	}
	if binary.Type != elf.ET_EXEC {
		return nil, errPIE
	}
	p := new(program)
	for _, s := range binary.Progs {
		if s.Type == elf.PT_LOAD {
			p.segments = append(p.segments, extent{uintptr(s.Vaddr), uintptr(s.Vaddr + s.Memsz)})
		}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, fmt.Errorf("region: the program's file: %w", err)
	}
	sum.Sum(p.sum[:0])
	return p, nil
}

// has reports whether an address is in the program's file or its variables, and so means the
// same in all processes of the program.
func (p *program) has(address uintptr) bool {
	for _, s := range p.segments {
		if s.begin <= address && address < s.end {
			return true
		}
	}
	return false
}
