package compiled

import (
	"context"
	"reflect"
	"unsafe"

	"shmbench/internal/build/foreign"
	"shmbench/internal/build/twin"
	"shmbench/internal/run/isolate"
	"shmbench/shm"
)

// Service is that of a program that runs locks in the model, whose question is a Trial.
const Service = "predict"

// Serve answers a Trial, if this program was asked one, on a lock that find knows,
// and ends the program.
func Serve(find func(Trial) (shm.Algorithm, error)) {
	isolate.Child(context.Background(), Service, func(ctx context.Context, t Trial) (*Result, error) {
		a, err := find(t)
		if err != nil {
			return nil, err
		}
		return Run(ctx, a, t)
	})
}

// Main is the main function of the program that "shmbench predict ./PACKAGE" builds. It answers a
// Trial on a lock. The lock is a specification or the function that builds it, a func(n int)
// T or func(n int) (T, error).
func Main(lock any) {
	foreign.TellName(context.Background(), lock)
	Serve(func(t Trial) (shm.Algorithm, error) { return foreign.Spec(lock, t.Lock) })
}

// Before is called before each access of a lock that has its own copy of the twin, and Paused
// where the lock waits.
func Before(op uint8, at unsafe.Pointer, value reflect.Type) {
	if twin.Before != nil {
		twin.Before(twin.Access{Op: twin.Op(op), Addr: at, Type: value})
	}
}

// Paused: see Before.
func Paused() { twin.Pause() }
