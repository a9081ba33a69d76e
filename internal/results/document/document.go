// Package document names the formats of the JSON documents that verbs write and the report
// reads.
package document

// version ends the name of a format.
const version = "1"

// Format is the format of what a verb of a program prints with -json.
func Format(program, verb string) string { return program + " " + verb + " " + version }

// The formats of documents that another verb reads.
const (
	List     = "shmbench list " + version
	Check    = "shmbench check " + version
	EveryN   = "shmbench check every " + version
	Trace    = "shmbench check -trace " + version
	Stress   = "shmbench stress " + version
	Lockstep = "shmbench lockstep " + version
	Play     = "shmbench play " + version
)
