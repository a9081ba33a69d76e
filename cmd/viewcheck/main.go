// Command viewcheck verifies a certificate of mutual exclusion for every number of processes, as
// shmbench check -procs every -o FILE.json writes it. It shares no code with the program that found the
// certificate. It exits with 0 if the certificate proves mutual exclusion of its template, with 1
// if it does not, and with 2 if it cannot be read.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 || args[0] == "" || args[0][0] == '-' {
		fmt.Fprintln(stderr, "usage: viewcheck FILE\nFILE is a certificate that shmbench check -procs every -o FILE.json has written.")
		return 2
	}
	f, err := os.Open(args[0])
	if err != nil {
		fmt.Fprintln(stderr, "viewcheck:", err)
		return 2
	}
	defer f.Close()
	c, err := read(f)
	if err != nil {
		fmt.Fprintf(stderr, "viewcheck: %s: %v\n", args[0], err)
		return 2
	}
	if err := c.verify(); err != nil {
		fmt.Fprintf(stderr, "viewcheck: %s: %v\n", args[0], err)
		return 1
	}
	last := c.Levels[len(c.Levels)-1]
	fmt.Fprintf(stdout, "%s: the template has mutual exclusion for every n >= 2, by %d views of %d processes\n", c.Lock, len(last.Views), last.Size)
	return 0
}
