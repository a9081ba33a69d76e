package check

import (
	"testing"

	"shmbench/shm"
)

// Run checks a lock in a test of the package that has it: the function called
// constructor builds the lock that the specification describes. It fails t where a report
// has an error; see Report.Err. It needs the go command.
func Run(t testing.TB, spec shm.Algorithm, constructor string) {
	t.Helper()
	src, err := Open(t.Context(), "", ".")
	if err != nil {
		t.Fatal(err)
	}
	s := src.pkg.Lock(constructor)
	s.Name, s.Spec = spec.Name, &spec
	reports, err := check(t.Context(), s, Options{Replays: DefaultReplays})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if err := r.Err(); err != nil {
			t.Error(err)
		}
	}
}
