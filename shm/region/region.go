package region

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"unsafe"

	"shmbench/shm/spin"
)

// Region is memory that this process and others have mapped.
type Region struct {
	mu      sync.Mutex
	path    string
	file    *os.File
	program *program
	created bool // by this process
	named   bool // the file has a name, under which the creator removes it
	size    uintptr
}

// MinSize is the least size of a region in bytes.
const MinSize = int(headerBytes) + 4096

// New makes a region of a size in bytes in a new file at a path, which only its owner may
// open. With an empty path the file has no name, and ends with the last process that uses
// it. It is an error if the file exists.
func New(path string, size int) (*Region, error) {
	p, err := ready()
	if err != nil {
		return nil, err
	}
	if size < MinSize {
		return nil, fmt.Errorf("region: a size of %d bytes: the size must be at least %d", size, MinSize)
	}
	f, err := create(path, size)
	if err != nil {
		return nil, fmt.Errorf("region: %w", err)
	}
	r := &Region{path: f.Name(), file: f, program: p, created: true, named: path != "", size: uintptr(size)}
	if err := mapFile(f, size); err != nil {
		r.forget()
		return nil, fmt.Errorf("region: %s: %w", r.path, err)
	}
	r.header().write(p, r.size)
	return r, nil
}

// Attach maps the region in the file at a path, which a process of the same program has made,
// and takes over its waiting policy. The path of a region whose file has no name is good as
// long as the process that made the region runs.
func Attach(path string) (*Region, error) {
	p, err := ready()
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("region: %w", err)
	}
	r := &Region{path: path, file: f, program: p}
	if r.size, err = readHeader(f, p); err == nil {
		err = mapFile(f, int(r.size))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("region: %s: %w", path, err)
	}
	h := r.header()
	spin.Among(int(h.processes.Load()))
	if policy := spin.Policy(h.policy.Load()); policy != spin.InUse() {
		spin.Use(policy)
	}
	return r, nil
}

// ready returns what is known about this program, or why it can have no region.
func ready() (*program, error) {
	if supported != nil {
		return nil, supported
	}
	return thisProgram()
}

// Path is what Attach takes in other processes.
func (r *Region) Path() string { return r.path }

// Wait sets the waiting policy of this process, and of each process that attaches later.
// The number of processes that will use the region decides how long a wait pauses: see
// spin.Among.
func (r *Region) Wait(policy spin.Policy, processes int) {
	r.header().policy.Store(uint32(policy))
	r.header().processes.Store(uint32(processes))
	spin.Among(processes)
	spin.Use(policy)
}

// Close unmaps the region. In the process that made it, Close also removes its file; other
// processes keep what they have mapped. No object of the region may be used afterwards.
func (r *Region) Close() error {
	return errors.Join(unmap(int(r.size)), r.forget())
}

// forget closes the file, and removes it if this process made it.
func (r *Region) forget() error {
	err := r.file.Close()
	if r.created && r.named {
		err = errors.Join(err, os.Remove(r.path))
	}
	return err
}

// Put copies an object, with all that it points to, into the region that this process has
// made, and returns the copy. It is the next root: other processes find it by Root. The
// error is a *Refusal if the object cannot be shared between processes. No process may use
// the object while Put copies it.
func Put[T any](r *Region, object *T) (*T, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.created {
		return nil, errors.New("region: only the process that made a region puts objects into it")
	}
	h := r.header()
	if int(h.roots.Load()) == maxRoots {
		return nil, fmt.Errorf("region: %s has its %d objects", r.path, maxRoots)
	}
	c, err := plan(r.program, object)
	if err != nil {
		return nil, err
	}
	next := uintptr(h.next)
	end := c.place(next)
	if end > base+r.size {
		return nil, fmt.Errorf("region: %s: the object needs %d bytes, and %d of %d are left", r.path, end-next, base+r.size-next, r.size)
	}
	c.copy()
	h.next = uint64(end)
	address := c.moved(uintptr(unsafe.Pointer(object)))
	h.root[h.roots.Load()] = rootEntry{uint64(address), uint64(typeAddress(reflect.TypeFor[T]()))}
	h.roots.Add(1)
	return at[T](address), nil
}

// Size returns the size of a region that has room for an object and all that it points to.
// The error is a *Refusal if the object cannot be shared between processes.
func Size[T any](object *T) (int, error) {
	p, err := ready()
	if err != nil {
		return 0, err
	}
	c, err := plan(p, object)
	if err != nil {
		return 0, err
	}
	return max(MinSize, int(headerBytes+c.place(0))), nil
}

// Root returns the object that the call number i of Put has put into the region, from 0 on.
func Root[T any](r *Region, i int) (*T, error) {
	h := r.header()
	if n := int(h.roots.Load()); i < 0 || i >= n {
		return nil, fmt.Errorf("region: %s has no object %d: it has %d", r.path, i, n)
	}
	t := reflect.TypeFor[T]()
	if h.root[i].t != uint64(typeAddress(t)) {
		return nil, fmt.Errorf("region: %s: object %d is not a %v", r.path, i, t)
	}
	return at[T](uintptr(h.root[i].address)), nil
}

// Verify returns a *Refusal if a pointer of an object of the region leads out of it. This
// happens after a passage of a lock that allocates. No process may use the object meanwhile.
func Verify[T any](r *Region, object *T) error {
	within := func(address, size uintptr) bool {
		return address >= base && address < base+r.size && size <= base+r.size-address
	}
	w := newWalker(r.program, func(_, address, size uintptr) string {
		if !within(address, size) && !r.program.has(address) {
			return whyOutside
		}
		return ""
	})
	t, address := reflect.TypeFor[T](), uintptr(unsafe.Pointer(object))
	if !within(address, t.Size()) {
		return refuse(t.String(), t, whyOutside)
	}
	return w.value(t.String(), address, t)
}
