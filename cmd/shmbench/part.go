package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"shmbench/internal/cli"
)

// part is a verb that is run for its file, as one of several.
type part struct {
	name, about string
	takes       time.Duration // on two cores with nothing else to do
	verb        verb
	args        []string
	file        string // of the data
	flag        string // that names the file; without one they are what the verb prints
}

// words are the command line that makes a part.
func (p part) words(dir string) []string {
	words := append(strings.Fields(p.verb.Name), p.args...)
	if p.flag != "" {
		words = append(words, "-"+p.flag, filepath.Join(dir, p.file))
	}
	return words
}

// command is the command line that makes a part, as a shell takes it.
func (p part) command(dir string) string {
	words := p.words(dir)
	for i, w := range words {
		words[i] = cli.Quote(w)
	}
	return "shmbench " + strings.Join(words, " ")
}

// make runs the verb, and returns its exit status. A verb that prints nothing, or that fails early,
// makes no file.
func (p part) make(ctx context.Context, e env, dir string) (code int, err error) {
	var printed bytes.Buffer
	shmbench := cli.Program{Name: "shmbench", Grace: grace}
	code = shmbench.RunVerb(ctx, p.verb, env{Stdout: &printed, Stderr: e.Stderr}, p.words(dir)[len(strings.Fields(p.verb.Name)):])
	if p.flag == "" && printed.Len() > 0 {
		err = writeFile(filepath.Join(dir, p.file), nil, func(w io.Writer) error {
			_, err := printed.WriteTo(w)
			return err
		})
	}
	return code, err
}

// pace is how fast the parts are done, beside the time that they take on two cores.
type pace struct {
	began  time.Time
	should time.Duration // that the parts that are done should have taken
}

func newPace() *pace { return &pace{began: time.Now()} }

// done notes that a part is done.
func (w *pace) done(p part) { w.should += p.takes }

// left says how long parts take, if they are as slow as those before them were.
func (w *pace) left(parts []part) time.Duration {
	var should time.Duration
	for _, p := range parts {
		should += p.takes
	}
	if w.should > 10*time.Second {
		should = time.Duration(float64(should) * float64(time.Since(w.began)) / float64(w.should))
	}
	return should.Round(time.Second)
}
