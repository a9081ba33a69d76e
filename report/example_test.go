package report_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"shmbench/report"
)

// A page is made of files: results of run, specifications of list -json, verdicts of check
// -json. Missing says which files have no data.
func ExampleRead() {
	in, err := report.Read(context.Background(), []string{"../results/amd-epyc-2/run.txt"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("files of results:", len(in.Runs), "files without data:", len(in.Missing))
	fmt.Println("one of the locks:", in.Measured()[0])
	if err := in.Write(io.Discard); err != nil { // a self-contained HTML page
		log.Fatal(err)
	}
	// Output:
	// files of results: 1 files without data: 0
	// one of the locks: bakery/lamport
}
