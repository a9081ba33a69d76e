package source

import (
	"cmp"
	"context"
	"strings"

	"shmbench/internal/build/edit"
	"shmbench/internal/build/sources"
	"shmbench/shm"
)

// Origin says where the lock of a trace comes from.
type Origin struct {
	Package     string `json:"package"`
	Constructor string `json:"constructor,omitempty"`
	List        string `json:"list,omitempty"`
	// Paths are what the list takes, if it takes any: where the processes are.
	Paths     [][]int `json:"paths,omitempty"`
	Algorithm string  `json:"algorithm,omitempty"`
	// Edited is how the lock is made, if it is a changed copy of another.
	Edited *edit.Lock `json:"edited,omitempty"`
}

// String is what the lock is called.
func (o Origin) String() string { return cmp.Or(o.Algorithm, o.Package+"."+o.Constructor) }

// open reads the package of a lock, or makes it again from its edits.
func (o Origin) open(ctx context.Context) (*Package, error) {
	switch {
	case o.Edited == nil && o.List == "All":
		return OpenFor(ctx, o.Package, []shm.Algorithm{{Name: o.Algorithm}})
	case o.Edited == nil:
		return Open(ctx, "", o.Package)
	}
	tree, err := edit.Open(ctx)
	if err != nil {
		return nil, err
	}
	program, err := tree.Program(strings.TrimPrefix(o.Package, sources.Module+"/"), []edit.Lock{*o.Edited}, "")
	if err != nil {
		return nil, err
	}
	return OpenEdited(ctx, program)
}

// Lock is the lock that a trace or a schedule is of.
func (o Origin) Lock(ctx context.Context, mixed bool) (*Lock, error) {
	p, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	l := p.Lock(o.Constructor)
	if o.List != "" {
		l = p.Algorithm(o.List, shm.Algorithm{Name: o.Algorithm}, o.Paths...)
		l.Spec = nil
	}
	l.Mixed = mixed
	return l, nil
}
