package check

import (
	"context"
	"errors"
	"fmt"
	"io"

	"shmbench/check/internal/everyn"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// EveryN is the verdict on mutual exclusion of a lock for every number of processes of at least
// 2, for passages by Lock and Unlock and sequentially consistent memory. docs/every-n.md says
// what the verdict assumes.
type EveryN struct {
	Algorithm       string  `json:"algorithm"`
	MutualExclusion Verdict `json:"mutual_exclusion"` // Holds or Unknown
	// Views is the number of views of Processes processes that prove mutual exclusion. 0: there is
	// no proof.
	Views     int `json:"views,omitempty"`
	Processes int `json:"processes,omitempty"`
	// Compared has the numbers of processes for which the template was compared with the source. None:
	// there is no template.
	Compared []int `json:"compared,omitempty"`
	// Undecided says why there is no proof. If the attempt ended at a view, View and Step say
	// which, and the step that leads to it.
	Undecided string `json:"undecided,omitempty"`
	View      string `json:"view,omitempty"`
	Step      string `json:"step,omitempty"`
	proof     *everyn.Proof
}

// EveryN tries to prove mutual exclusion of an algorithm for every number of processes. The
// function called list returns the algorithm, as for Algorithms.
func (src *Source) EveryN(ctx context.Context, list string, a shm.Algorithm) (*EveryN, error) {
	if a.MaxProcs < shm.MaxProcs {
		return &EveryN{Algorithm: a.Name, MutualExclusion: Unknown,
			Undecided: fmt.Sprintf("the specification allows %d processes at most; give their numbers instead of every", a.MaxProcs)}, nil
	}
	return everyN(ctx, src.pkg.Algorithm(list, a))
}

// LockEveryN is EveryN for the lock that the function called constructor builds.
func (src *Source) LockEveryN(ctx context.Context, constructor string) (*EveryN, error) {
	return everyN(ctx, src.pkg.Lock(constructor))
}

func everyN(ctx context.Context, l *source.Lock) (*EveryN, error) {
	e := &EveryN{Algorithm: l.Name, MutualExclusion: Unknown}
	proof, err := everyn.Prove(ctx, source.NewBuilder(l, source.NewMachines(0)))
	var fault *interp.Fault
	var notBuilt *interp.NotBuiltError
	switch {
	case errors.As(err, &fault) || errors.As(err, &notBuilt):
		e.Undecided = err.Error()
		return e, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	e.proof, e.Undecided = proof, proof.Why
	if proof.Template != nil {
		e.Compared = everyn.Compared
	}
	if f := proof.Failure; f != nil {
		e.Processes, e.View, e.Step = proof.Size, f.View, f.Step
	}
	if proof.Why == "" {
		last := proof.Levels[len(proof.Levels)-1]
		e.MutualExclusion, e.Views, e.Processes = Holds, len(last.Views), last.Size
	}
	return e, nil
}

// WriteCertificate writes the certificate of a proof, which cmd/viewcheck verifies.
func (e *EveryN) WriteCertificate(w io.Writer) error {
	if e.MutualExclusion != Holds {
		return fmt.Errorf("%s: there is no proof", e.Algorithm)
	}
	return e.proof.WriteCertificate(w)
}

// WriteText writes the verdict in words.
func (e *EveryN) WriteText(w io.Writer) error {
	text := fmt.Sprintf("%s: mutual exclusion for every n >= 2: ", e.Algorithm)
	switch {
	case e.MutualExclusion == Holds:
		text += fmt.Sprintf("holds, by %d views of %d processes; the source was compared for %s", e.Views, e.Processes, everyn.InWords())
	case e.View == "":
		text += "undecided: " + e.Undecided
	default:
		text += fmt.Sprintf("undecided by views of %d processes: %s\n  view: %s\n  step: %s", e.Processes, e.Undecided, e.View, e.Step)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
