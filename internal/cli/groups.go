package cli

import (
	"flag"
	"fmt"
	"io"
	"slices"
)

// A Group is flags that help shows together, under a heading.
type Group struct {
	Heading string
	Flags   []string
}

// The usual headings, in the order of help. Flags of everyday use come before them.
const (
	Output  = "output"
	Bounds  = "bounds"
	Experts = "experts"
)

// mostEveryday is how many flags a verb may show before the first heading.
const mostEveryday = 10

// A Rule says of a flag with which flags it can be given.
type Rule struct {
	Flag    string
	Value   string   // the rule is only for this value of the flag; empty: any
	With    string   // this flag must be given too
	Without []string // none of these may be given
	// Why, if it is not empty, says why no flag may be given but this one and those of Only.
	Why    string
	Only   []string
	Unless string // the rule is not for a command line with this flag
}

// check refuses flags that break a rule.
func (r Rule) check(fs *flag.FlagSet) error {
	flagged := "-" + r.Flag
	if r.Value != "" {
		flagged += " " + r.Value
	}
	if r.Unless != "" && wasGiven(fs, r.Unless) {
		return nil
	}
	if !Given(fs, r.Flag) || r.Value != "" && fs.Lookup(r.Flag).Value.String() != r.Value {
		return nil
	}
	if r.Why != "" {
		if err := Only(fs, r.Why, append(r.Only, r.Flag)...); err != nil {
			return err
		}
	}
	if r.With != "" && !wasGiven(fs, r.With) {
		return Refuse(fs, "it needs -"+r.With, r.Flag)
	}
	for _, other := range r.Without {
		if wasGiven(fs, other) {
			return fmt.Errorf("%s cannot be combined with -%s", flagged, other)
		}
	}
	return nil
}

// checkPackage refuses flags that cannot be given with a package.
func (v *Verb) checkPackage(fs *flag.FlagSet, arg string) error {
	p, err := ParsePackage(arg)
	if err != nil {
		return err
	}
	for _, name := range v.NotWithPackage {
		if Given(fs, name) {
			return fmt.Errorf("%s cannot be combined with -%s", p, name)
		}
	}
	return nil
}

// groups returns the flags of everyday use, which no group of the verb has, and the groups.
func (v *Verb) groups(fs *flag.FlagSet) []Group {
	everyday := Group{Heading: "flags"}
	fs.VisitAll(func(f *flag.Flag) {
		has := func(g Group) bool { return slices.Contains(g.Flags, f.Name) }
		if !slices.ContainsFunc(v.Groups, has) {
			everyday.Flags = append(everyday.Flags, f.Name)
		}
	})
	return append([]Group{everyday}, v.Groups...)
}

// CheckTable returns an error if the groups, the rules or NotWithPackage of the verb name a flag that
// it does not have. It also returns one if more than ten flags stand before the first heading.
func (v *Verb) CheckTable() error {
	fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
	v.Setup(fs)
	all := v.groups(fs)
	if n := len(all[0].Flags); n > mostEveryday && v.Groups != nil {
		return fmt.Errorf("%s: %d flags stand before the first heading; at most %d", v.Name, n, mostEveryday)
	}
	named := slices.Clone(v.NotWithPackage)
	for _, g := range all {
		named = append(named, g.Flags...)
	}
	for _, r := range v.Rules {
		named = slices.Concat(named, []string{r.Flag}, r.Without, r.Only)
		for _, name := range []string{r.With, r.Unless} {
			if name != "" {
				named = append(named, name)
			}
		}
	}
	for _, name := range named {
		if fs.Lookup(name) == nil {
			return fmt.Errorf("%s: there is no flag -%s", v.Name, name)
		}
	}
	return nil
}

// Shown is how many flags help shows.
func (v *Verb) Shown() (n int) {
	fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
	v.Setup(fs)
	for _, g := range v.groups(fs) {
		n += len(g.Flags)
	}
	return n
}

// writeFlags writes what help says of the flags.
func (v *Verb) writeFlags(w io.Writer, fs *flag.FlagSet) {
	for _, g := range v.groups(fs) {
		if len(g.Flags) == 0 {
			continue
		}
		group := flag.NewFlagSet(g.Heading, flag.ContinueOnError)
		for _, name := range g.Flags {
			f := fs.Lookup(name)
			group.Var(Bare(f.Value), name, f.Usage) // the flag package knows its type
		}
		fmt.Fprintf(w, "\n%s:\n", g.Heading)
		group.SetOutput(w)
		group.PrintDefaults()
	}
}
