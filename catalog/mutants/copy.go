package mutants

import (
	"shmbench/internal/build/edit"
	"shmbench/shm"
)

// Copy returns a changed copy of a lock of the catalog, with edits of the caller's own. The
// specification and the file of the copy are those of the lock's block in the text files,
// if it has one; most locks need neither.
func Copy(of shm.Algorithm, as string, edits []edit.Edit) edit.Lock {
	l := edit.Lock{Name: of.Name, As: as, Released: of.Stores == shm.Released, Edits: edits}
	if of.VariantOf != "" {
		l.Name = of.VariantOf
	}
	for _, m := range fromText() {
		if m.Of == l.Name && !m.edited.own && m.edited.released == l.Released {
			l.Spec, l.File = m.edited.spec, m.edited.file
			break
		}
	}
	return l
}
