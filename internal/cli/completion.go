package cli

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// shells are those that completion knows, each with what writes its script.
var shells = []struct {
	name  string
	write func(w io.Writer, program string, at []place)
}{{"bash", bash}, {"zsh", zsh}, {"fish", fish}}

// A place is a command line so far, such as "run", and the words that can follow.
type place struct {
	line  string
	words []word
}

// A word is a verb, or a flag with its dash, and what help says of it.
type word struct{ text, about string }

// completion prints the script that completes verbs and flags in a shell. The script is
// made from the tables of verbs and flags.
func (p *Program) completion(w io.Writer, args []string) error {
	var names []string
	for _, s := range shells {
		if len(args) == 1 && args[0] == s.name {
			s.write(w, p.Name, p.places())
			return nil
		}
		names = append(names, s.name)
	}
	return fmt.Errorf("%s: name one shell: %s", strings.Join(append([]string{"completion"}, args...), " "), strings.Join(names, ", "))
}

// places returns the empty line, the first words of verbs of two words, and the verbs.
func (p *Program) places() []place {
	first := place{}
	var rest []place
	add := func(to *place, text, about string) {
		if !slices.ContainsFunc(to.words, func(w word) bool { return w.text == text }) {
			to.words = append(to.words, word{text, about})
		}
	}
	for _, v := range p.Verbs {
		one, two, double := strings.Cut(v.Name, " ")
		if !double {
			add(&first, one, v.Summary)
		} else {
			add(&first, one, "")
			i := slices.IndexFunc(rest, func(r place) bool { return r.line == one })
			if i < 0 {
				rest, i = append(rest, place{line: one}), len(rest)
			}
			add(&rest[i], two, v.Summary)
		}
		fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
		v.Setup(fs)
		at := place{line: v.Name}
		fs.VisitAll(func(f *flag.Flag) {
			_, about := flag.UnquoteUsage(f)
			add(&at, "-"+f.Name, about)
		})
		if at.words != nil {
			rest = append(rest, at)
		}
	}
	// A longer line comes before a line that it begins with.
	slices.SortStableFunc(rest, func(a, b place) int { return strings.Count(b.line, " ") - strings.Count(a.line, " ") })
	return append(rest, first)
}

func bash(w io.Writer, program string, at []place) {
	fmt.Fprintf(w, "_%s() {\n  local line=\"${COMP_WORDS[*]:1:COMP_CWORD-1} \" words=\n  case \"$line\" in\n", program)
	for _, p := range at {
		var texts []string
		for _, word := range p.words {
			texts = append(texts, word.text)
		}
		fmt.Fprintf(w, "    %s) words='%s' ;;\n", pattern(p), strings.Join(texts, " "))
	}
	fmt.Fprintf(w, "  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\ncomplete -o default -F _%[1]s %[1]s\n", program)
}

func zsh(w io.Writer, program string, at []place) {
	fmt.Fprintf(w, "#compdef %[1]s\n_%[1]s() {\n  local line=\"${words[2,CURRENT-1]} \"\n  local -a found\n  case \"$line\" in\n", program)
	for _, p := range at {
		fmt.Fprintf(w, "    %s) found=(", pattern(p))
		for _, word := range p.words {
			fmt.Fprintf(w, "\n      %s", Quote(word.text+":"+word.about))
		}
		fmt.Fprint(w, ") ;;\n")
	}
	fmt.Fprintf(w, "  esac\n  _describe %[1]s found || _files\n}\ncompdef _%[1]s %[1]s\n", program)
}

func fish(w io.Writer, program string, at []place) {
	fmt.Fprintf(w, "function __%[1]s_at\n  set -l words (commandline -opc)\n  string match -q -- \"$argv\" \"$words[2..] \"\nend\n", program)
	for _, p := range at {
		for _, word := range p.words {
			kind := "-a " + word.text
			if name, ok := strings.CutPrefix(word.text, "-"); ok {
				kind = "-o " + name
			}
			fmt.Fprintf(w, "complete -c %[1]s -n '__%[1]s_at \"%[2]s\"' %[3]s -d %[4]s\n", program, strings.ReplaceAll(pattern(p), `"`, ``), kind, Quote(word.about))
		}
	}
}

// pattern matches a command line so far with a blank at its end.
func pattern(p place) string {
	switch {
	case p.line == "":
		return `" "`
	case strings.HasPrefix(p.words[0].text, "-"):
		return `"` + p.line + ` "*`
	}
	return `"` + p.line + ` "`
}
