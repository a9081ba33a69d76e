package main

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"reflect"
	"runtime"

	"shmbench/internal/sources"
	"shmbench/shm"
)

// listOne prints an algorithm and the file that it is in.
func listOne(w io.Writer, names []string, asJSON bool) error {
	if len(names) > 1 {
		return fmt.Errorf("%q: give one name, or -alg with a regular expression", names[1])
	}
	all := locks()
	a, err := all.get(names[0])
	if err != nil {
		return fmt.Errorf("there is no algorithm %q; %s", names[0], all.instead(names[0]))
	}
	file, text, err := sourceOf(a)
	if err != nil {
		return err
	}
	if asJSON {
		return writeSourced(w, fmt.Sprintf("shmbench list %d", jsonVersion), true, listed([]shm.Algorithm{a}), map[string]string{file: string(text)})
	}
	if err := printCards(w, []shm.Algorithm{a}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s:\n\n%s", file, text)
	return err
}

// sourceOf returns the file of an algorithm, which is named after it, or else is the one
// that has the function which builds it.
func sourceOf(a shm.Algorithm) (file string, text []byte, err error) {
	name := a.Name
	if a.VariantOf != "" {
		name = a.VariantOf
	}
	file = name + ".go"
	if text, err = sources.Text(file); err == nil {
		return file, text, nil
	}
	pc := reflect.ValueOf(a.New).Pointer()
	at, _ := runtime.FuncForPC(pc).FileLine(pc)
	at = filepath.ToSlash(at)
	file = path.Join(path.Base(path.Dir(at)), path.Base(at))
	text, err = sources.Text(file)
	return file, text, err
}
