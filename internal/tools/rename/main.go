// Rename changes the path of this module everywhere: in the go.mod files, imports,
// strings, scripts, test data and documents. It is for the person that publishes the module,
// since the go command fetches no module whose path begins with a word without a dot.
//
//	go -C internal/tools run ./rename example.com/path
//
// "git diff" then shows the changes.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	changed, err := run("../..", os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(2)
	}
	for _, file := range changed {
		fmt.Println(file)
	}
}

// run renames the module in the folder root, and returns the files that have changed.
func run(root string, args []string) ([]string, error) {
	if len(args) != 1 {
		return nil, errors.New("give the one new path of the module, as in go -C internal/tools run ./rename example.com/path")
	}
	return rename(root, args[0])
}
