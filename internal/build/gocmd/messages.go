package gocmd

import (
	"errors"
	"fmt"
	"regexp"
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
		if plain := Plain(line); plain != line {
			return errors.New(plain)
		}
		return fmt.Errorf("go %s failed: %s", failed.Verb, line)
	}
	return fmt.Errorf("go %s failed", failed.Verb)
}

// unclear are messages of the go command about a path, and what a user has to do about each.
var unclear = []struct {
	message *regexp.Regexp
	plain   string
}{
	{regexp.MustCompile(`^directory (\S+) outside (?:main module|modules listed)\b.*`), "the folder $1 is not in the module of the current folder: go to it, and write ."},
	{regexp.MustCompile(`^stat (\S+): directory not found$`), "there is no folder $1"},
	{regexp.MustCompile(`^package (\S+) is not in std\b.*`), "there is no package $1: a folder begins with ./, as in ./$1"},
}

// Plain returns a message of the go command in words that name what would be right, or
// the message itself.
func Plain(message string) string {
	for _, u := range unclear {
		if u.message.MatchString(message) {
			return u.message.ReplaceAllString(message, u.plain)
		}
	}
	return message
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
