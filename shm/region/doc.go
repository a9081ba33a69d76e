// Package region is memory that processes of the operating system share, and in which locks
// of this module run unchanged.
//
// One process makes a region and puts an object into it:
//
//	r, err := region.New("", 1<<20)
//	lock, err := queue.NewMCS(2, shm.Packed, shm.Sequential)
//	lock, err = region.Put(r, lock)
//
// Put copies the object and all that it points to. Other processes of the same program
// attach to the region, and find the object at the same address:
//
//	r, err := region.Attach(path) // what r.Path() returned in the first process
//	lock, err := region.Root[queue.MCSMutex](r, 0)
//
// Each process maps the region at one fixed address, so that a pointer in the region means
// the same in all of them. A program has one region at a time.
//
// Put refuses an object that works in one process only, with a *Refusal. It has a path to the
// field: a mutex or another value of package sync, a channel, a map, a function, a nonzero
// uintptr, an unsafe.Pointer. Movable also refuses a lock that sleeps in the Go runtime or the
// kernel (class Opaque or Futex). It refuses a lock that allocates in its passages, too. Package
// globals finds locks that use package-level variables, which each process has for itself.
//
// A lock in a region waits well with the policy spin.OSYield: a yield to the Go scheduler
// gives nothing to another process. The policy travels with the region: see Region.Wait.
//
// A file that shrinks while it is mapped makes accesses fail with the signal SIGBUS.
// Region.Guard turns this signal into an error that names the file.
//
// Limits: Linux on amd64 and arm64, with 47 bits of address space or more; not a
// position-independent executable, since its addresses differ between processes. The
// garbage collector does not see the region: an object there must not point to memory
// outside, and Verify finds such pointers. The race detector does not see it either.
package region
