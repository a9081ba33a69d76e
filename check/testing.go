package check

import (
	"testing"

	"shmbench/shm"
)

// Run checks a lock in a test of the package that has it: the function called
// constructor builds the lock that the specification describes. It fails t where a report
// has an error; see Report.Err. It also fails t if the specification allows neither 2 nor 3
// processes, because then nothing is checked. It needs the go command.
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
	if len(reports) == 0 {
		t.Fatalf("nothing was checked: check.Run explores 2 and 3 processes, and the specification of %q allows %d to %d; MinProcs and MaxProcs must allow one of these numbers",
			spec.Name, spec.MinProcs, spec.MaxProcs)
	}
	for _, r := range reports {
		if err := r.Err(); err != nil {
			t.Error(err)
		}
	}
}
