package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestWhereabouts changes the section, the mode, or the result of giveUp in one learned
// local state after another, of locks in all modes. The comparison with the compiled code
// notices each change, though every access stays the same.
func TestWhereabouts(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := Testdata(t, "modes")
	changes := map[string]func(st *interp.State){
		"section": func(st *interp.State) { st.Section = (st.Section + 1) % (interp.Exit + 1) },
		"mode":    func(st *interp.State) { st.Mode = (st.Mode + 1) % (shm.Until + 1) },
		"given":   func(st *interp.State) { st.GaveUp = !st.GaveUp },
	}
	for _, constructor := range []string{"NewSharesReader", "NewStays", "NewNever"} {
		s := src.pkg.Lock(constructor).Mix()
		code, err := src.program(s).compiled(t.Context(), nil)
		require.NoError(t, err)
		defer code.Close()
		learned := func() (*explored.Lock, *compiled.Mirror) {
			lock, err := s.Learn(t.Context(), 2, model.Options{})
			require.NoError(t, err)
			x := explored.Consistent(t.Context(), s, lock, (&Options{}).explore(s.Name, 2)).Complete()
			return x, compiled.NewMirror(t.Context(), s, lock, execution.Simulate(lock.Learner, lock.Learner.M.Names(), nil).Again, code)
		}
		x, m := learned()
		_, err = m.Replay(planOf(x, nil, 1_000))
		require.NoError(t, err, constructor)
		for what, change := range changes {
			noticed := 0
			for k := range led(x) {
				st := x.Learned.Learner.Procs[0].States[k]
				was := *st
				change(st)
				_, err := m.Replay(planOf(x, nil, 1_000))
				require.ErrorContains(t, err, "internal error: modes/"+constructor, "%s of state %d of %s", what, k, constructor)
				*st = was
				noticed++
			}
			require.Positive(t, noticed)
		}
		_, err = m.Replay(planOf(x, nil, 1_000))
		require.NoError(t, err, constructor)
	}
}

// led returns the local states of process 0 to which a step of a transition leads.
func led(x *explored.Lock) map[int32]bool {
	states := map[int32]bool{}
	schedules, _ := x.Transitions()
	for _, schedule := range schedules {
		sim := execution.Simulate(x.Learned.Learner, x.Names, nil)
		for _, actor := range schedule {
			if sim.Stands(int(actor)) {
				break
			}
			if _, err := sim.Take(int(actor)); err != nil {
				break
			}
			if int(actor)%x.N == 0 {
				states[sim.States[0]] = true
			}
		}
	}
	return states
}
