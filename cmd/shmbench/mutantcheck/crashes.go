package mutantcheck

import (
	"context"

	"shmbench/catalog/mutants"
	"shmbench/check"
)

// checkCrashes checks a mutant that shows its fault where processes crash. It must have no
// such fault without crashes, with fewer of them, and for one process less.
func (x *Checked) checkCrashes(ctx context.Context, checker *check.Checker, o check.Options) error {
	kind, err := check.ParseCrashes(x.Crashes)
	if err != nil {
		return err
	}
	asked := o.NoCosts
	judge := func(n int, crashes *check.Crashes, noCosts bool) ([]*check.Report, mutants.Verdict, *check.Report, error) {
		o.N, o.LockOnly, o.Crashes, o.NoCosts = []int{n}, true, crashes, noCosts
		reports, err := checker.Check(ctx, x.Algorithm, o)
		if err != nil {
			return nil, "", nil, err
		}
		found, of := x.gravest(reports)
		return reports, found, of, nil
	}
	if x.Reports, x.Found, x.Report, err = judge(x.Procs, &kind, asked && x.brokenAtAnyCost()); err != nil {
		return err
	}
	if x.Found != x.Verdict {
		x.wrong("its entry says %v, and the verdict is %v", x.Verdict, x.Found)
	}
	x.differences(x.Reports)
	reports, found, _, err := judge(x.Procs, nil, false)
	if err != nil {
		return err
	}
	if found != mutants.Equivalent {
		x.wrong("its entry says that it has no fault without crashes, and the verdict is %v", found)
	}
	x.differences(reports)
	if x.Verdict == mutants.Equivalent {
		return nil
	}
	if kind.Most > 1 {
		fewer := kind
		fewer.Most--
		if _, found, _, err = judge(x.Procs, &fewer, x.brokenAtAnyCost()); err != nil {
			return err
		}
		if !x.Verdict.Graver(found) {
			x.wrong("its entry says that it takes %d crashes, and the verdict for %v is %v", kind.Most, fewer, found)
		}
	}
	if x.Procs > x.MinProcs {
		if _, found, _, err = judge(x.Procs-1, &kind, x.brokenAtAnyCost()); err != nil {
			return err
		}
		if !x.Verdict.Graver(found) {
			x.wrong("its entry says that it needs n = %d, and the verdict for n = %d is %v", x.Procs, x.Procs-1, found)
		}
	}
	return nil
}
