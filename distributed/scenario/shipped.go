package scenario

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed shipped/*.txt
var files embed.FS

// Names returns the names of the shipped scenarios.
func Names() []string {
	entries, err := files.ReadDir("shipped")
	if err != nil {
		panic(err) // it is compiled in
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return names
}

// Shipped returns the shipped scenario of that name.
func Shipped(name string) (*Scenario, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("no scenario %q; dmesim list shows the names, and a file's has a / or a dot", name)
	}
	return Parse(name, Source(name))
}

// Source returns the text of a shipped scenario, empty if there is none of that
// name.
func Source(name string) string {
	text, err := files.ReadFile("shipped/" + name + ".txt")
	if err != nil {
		return ""
	}
	return string(text)
}
