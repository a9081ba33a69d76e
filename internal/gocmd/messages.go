package gocmd

import (
	"errors"
	"fmt"
	"strings"
)

// errNoModule is what the user has to do about a package that is in no module.
var errNoModule = errors.New("no go.mod here or in a folder above: go to the module of the package, or make one with \"go mod init mylock\"")

// OneLine makes one line of an error that Run has returned: the line of the messages
// that says what is wrong. Another error is returned as it is.
func OneLine(err error) error {
	failed := new(Failure)
	if !errors.As(err, &failed) {
		return err
	}
	if strings.Contains(failed.Messages, "go.mod file not found") {
		return errNoModule
	}
	if line := FirstLine(failed.Messages); line != "" {
		return fmt.Errorf("go %s failed: %s", failed.Verb, line)
	}
	return fmt.Errorf("go %s failed", failed.Verb)
}

// FirstLine returns the first line of messages that says something: no heading, no
// progress of a download. A line that announces the next one has that one added.
func FirstLine(messages string) string {
	first := ""
	for line := range strings.Lines(messages) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "go: downloading ") {
			continue
		}
		first += line
		if !strings.HasSuffix(line, ":") {
			break
		}
		first += " "
	}
	return first
}
