// Attach attaches to the region in the file that its argument names, and prints the error.
package main

import (
	"fmt"
	"os"

	"shmbench/shm/region"
)

func main() {
	if _, err := region.Attach(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
