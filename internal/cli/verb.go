// Package cli is what the command lines of this project's programs have in common:
// verbs and their flags, exit statuses, signals, and the words in which they speak.
package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shmbench/internal/cli/tty"
)

// A Program is a set of verbs.
type Program struct {
	Name, About string
	Goals       []Goal // what most people want; may be empty
	Verbs       []Verb
	Grace       time.Duration // that a verb has; 0: Grace
}

// A Goal is what a user wants, and the command lines that get there.
type Goal struct {
	Text     string
	Commands []string
}

// Env is the part of the outside world that a verb prints to.
type Env struct {
	Stdout, Stderr io.Writer
}

// A Body does a verb's work after its flags are parsed; args are the
// arguments left over. It returns nil, ErrViolated, what CutShort makes, or an
// error that means wrong use. When ctx is canceled it has a second to print
// what it has; it is not waited for any longer.
type Body func(ctx context.Context, e Env, args []string) error

// A Verb is one subcommand. Setup declares the verb's flags on fs and returns
// the body that reads them.
type Verb struct {
	Name    string // one word, or two
	Summary string // one line, for the list of verbs
	Args    string // what follows the flags, the names of files, such as "FILE..."; may be empty
	About   string // what help says about the arguments, lines below the summary; may be empty
	Example string // one or more command lines
	Output  string // what the names in the output mean, a line for each; may be empty
	// Stands is the flag whose value may be given as the one argument, without the
	// flag's name; empty if there is none. An argument that is the path of a package goes to
	// the body if Args is not empty.
	Stands string
	Groups []Group // the flags that help shows under headings
	Rules  []Rule  // the flags that go together
	// NotWithPackage has the flags that cannot be given with the path of a package, of a verb that
	// takes one.
	NotWithPackage []string
	Setup          func(fs *flag.FlagSet) Body
}

// Run executes one command line and returns the exit status.
func (p *Program) Run(ctx context.Context, e Env, args []string) int {
	if len(args) == 0 {
		p.usage(e.Stderr)
		return Usage
	}
	if args[0] == "help" && len(args) > 1 {
		args = append(slices.Clone(args[1:]), "-h")
	}
	if about := p.about(args[0]); about != nil {
		out := &output{w: e.Stdout}
		err := about(out, args[1:])
		if _, failed := out.close(); failed != nil {
			err = fmt.Errorf("standard output: %w", failed)
		}
		if err != nil {
			fmt.Fprintf(e.Stderr, "%s: %v\n", p.Name, err)
			return Usage
		}
		return Holds
	}
	if v, words := p.verb(args); v != nil {
		if near := p.longer(v.Name, args[words:]); near != "" {
			fmt.Fprintf(e.Stderr, "%s: no verb %q; did you mean %q?\n", p.Name, v.Name+" "+args[words], near)
			return Usage
		}
		return p.RunVerb(ctx, *v, e, args[words:])
	}
	if family := p.verbsOf(args[0]); family != "" {
		fmt.Fprintf(e.Stderr, "%s: %s needs a second word: write %s\n", p.Name, args[0], family)
		return Usage
	}
	instead := fmt.Sprintf("\"%s -h\" lists the verbs", p.Name)
	if near := Nearest(args[0], p.verbNames()); near != "" {
		instead = fmt.Sprintf("did you mean %q?", near)
	}
	fmt.Fprintf(e.Stderr, "%s: no verb %q; %s\n", p.Name, args[0], instead)
	return Usage
}

// verb returns the verb with the longest name that the words begin with, and how many words
// its name has; nil: there is none.
func (p *Program) verb(args []string) (longest *Verb, words int) {
	for i, v := range p.Verbs {
		name := strings.Fields(v.Name)
		if len(name) > words && len(args) >= len(name) && slices.Equal(name, args[:len(name)]) {
			longest, words = &p.Verbs[i], len(name)
		}
	}
	return longest, words
}

// longer returns the verb that begins with the name of another one, if the word behind this
// name is nearly its second word.
func (p *Program) longer(name string, args []string) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return ""
	}
	var seconds []string
	for _, v := range p.Verbs {
		if second, ok := strings.CutPrefix(v.Name, name+" "); ok {
			seconds = append(seconds, second)
		}
	}
	if near := Nearest(args[0], seconds); near != "" {
		return name + " " + near
	}
	return ""
}

func (p *Program) verbNames() []string {
	names := make([]string, len(p.Verbs))
	for i, v := range p.Verbs {
		names[i] = v.Name
	}
	return names
}

// about returns what prints something about the program itself, if a word asks for it.
func (p *Program) about(word string) func(w io.Writer, args []string) error {
	switch word {
	case "-h", "-help", "--help", "help":
		return func(w io.Writer, _ []string) error { return p.usage(w) }
	case "-version", "--version", "version":
		return func(w io.Writer, _ []string) error { p.version(w); return nil }
	case "completion":
		return p.completion
	}
	return nil
}

// verbsOf names the verbs of two words whose first word is word.
func (p *Program) verbsOf(word string) string {
	var names []string
	for _, v := range p.Verbs {
		if strings.HasPrefix(v.Name, word+" ") {
			names = append(names, v.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Grace is how long a verb has to end once it has been interrupted, so that
// the program is gone within a second.
const Grace = 900 * time.Millisecond

// RunVerb is Run of v, whatever the program's verbs are.
func (p *Program) RunVerb(ctx context.Context, v Verb, e Env, args []string) int {
	out := &output{w: e.Stdout}
	e.Stdout = out
	err := p.parse(ctx, v, e, args)
	if _, failed := out.close(); failed != nil {
		err = fmt.Errorf("standard output: %w", failed)
	}
	code, says := status(err)
	if says != "" {
		fmt.Fprintf(e.Stderr, "%s %s: %s\n", p.Name, v.Name, Printable(says))
	}
	return code
}

// parse reads the flags and does what they say.
func (p *Program) parse(ctx context.Context, v Verb, e Env, args []string) error {
	fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed in one line
	do := v.Setup(fs)
	once(fs)
	rest, err := arguments(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		p.help(v, e.Stdout)
		return nil
	case err != nil:
		return plain(p.Name, err, fs)
	case v.Stands != "" && len(rest) > 0 && (v.Args == "" || !IsPackage(rest[0])):
		if err := stand(fs, v.Stands, rest); err != nil {
			return err
		}
		rest = nil
	case v.Args == "" && len(rest) > 0:
		return fmt.Errorf("unexpected argument %q: this verb takes flags only", rest[0])
	}
	if err := checkFiles(fs, rest); err != nil {
		return err
	}
	for _, r := range v.Rules {
		if err := r.check(fs); err != nil {
			return err
		}
	}
	if v.NotWithPackage != nil && len(rest) > 0 && IsPackage(rest[0]) {
		if err := v.checkPackage(fs, rest[0]); err != nil {
			return err
		}
	}
	defer tty.Elapsed(e.Stderr, v.Name)()
	ended, err := within(ctx, cmp.Or(p.Grace, Grace), func() error {
		if err := do(ctx, e, rest); err != nil {
			return err
		}
		return ctx.Err()
	})
	if ended {
		return err
	}
	// What still runs is left behind, and what it prints is lost.
	out := e.Stdout.(*output)
	if begun, _ := out.close(); !begun && Given(fs, "json") {
		if err := WriteJSON(out.w, p.Name, v.Name, false, nil); err != nil {
			return err
		}
	}
	return CutShort("interrupted, and given up: it did not end within a second")
}

// arguments parses the flags, which may come before, between and after the arguments,
// and returns the arguments. Behind the word -- there are no flags.
func arguments(fs *flag.FlagSet, words []string) (args []string, err error) {
	for {
		if err := fs.Parse(words); err != nil {
			return nil, err
		}
		parsed := words[:len(words)-fs.NArg()]
		if fs.NArg() == 0 || len(parsed) > 0 && parsed[len(parsed)-1] == "--" {
			return append(args, fs.Args()...), nil
		}
		args, words = append(args, fs.Arg(0)), fs.Args()[1:]
	}
}

// stand sets a flag to the one argument that stands for its value.
func stand(fs *flag.FlagSet, name string, args []string) error {
	if err := detached(fs, args[0]); err != nil {
		return err
	}
	switch {
	case len(args) > 1:
		return fmt.Errorf("unexpected argument %q: give one name, or -%s with a regular expression", args[1], name)
	case Given(fs, name):
		return fmt.Errorf("unexpected argument %q: -%s is given too", args[0], name)
	}
	if err := fs.Set(name, args[0]); err != nil {
		return fmt.Errorf("%q: %w", args[0], err)
	}
	return nil
}

// detached refuses an argument that is a value of a flag such as -pin, which was given without
// one: -pin threads in place of -pin=threads. It does not ask the boolean flags of package
// flag, which have Get: their Set changes them even if it refuses the value.
func detached(fs *flag.FlagSet, arg string) (err error) {
	fs.Visit(func(f *flag.Flag) {
		v := Bare(f.Value)
		b, ok := v.(interface{ IsBoolFlag() bool })
		if _, plain := v.(flag.Getter); ok && b.IsBoolFlag() && !plain && v.Set(arg) == nil {
			err = fmt.Errorf("unexpected argument %q: write -%s=%s", arg, f.Name, arg)
		}
	})
	return err
}

func (p *Program) help(v Verb, w io.Writer) {
	fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
	v.Setup(fs)
	line := "usage: " + p.Name + " " + v.Name + " [flags]"
	switch {
	case v.Args != "":
		line += " " + v.Args
	case v.Stands != "":
		line += " [NAME]"
	}
	about := v.Summary
	if v.About != "" {
		about += "\n\n" + v.About
	}
	fmt.Fprintf(w, "%s\n\n%s\n\nexample:\n%s\n", line, about, indent(v.Example))
	v.writeFlags(w, fs)
	if v.Output != "" {
		fmt.Fprintf(w, "\nwhat it prints:\n%s\n", indent(strings.TrimSuffix(v.Output, "\n")))
	}
	fmt.Fprint(w, "\n"+statuses)
}

func (p *Program) usage(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nusage: %s <verb> [flags]\n\n", p.Name, p.About, p.Name)
	for _, g := range p.Goals {
		fmt.Fprintf(&b, "%s:\n%s\n", g.Text, indent(strings.Join(g.Commands, "\n")))
	}
	if p.Goals != nil {
		b.WriteString("\n")
	}
	b.WriteString("verbs:\n")
	width := 0
	for _, v := range p.Verbs {
		width = max(width, len(v.Name))
	}
	for _, v := range p.Verbs {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, v.Name, v.Summary)
	}
	fmt.Fprintf(&b, "\n%s\n\"%[2]s <verb> -h\" explains a verb and shows an example. \"%[2]s --version\" prints the version.\n"+
		"\"%[2]s completion bash\" prints completions for bash; zsh and fish have theirs.\n", statuses, p.Name)
	_, err := io.WriteString(w, b.String())
	return err
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
