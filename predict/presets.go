package predict

import (
	"embed"
	"fmt"
	"os"
	"path"
	"strings"
)

// presets are machines made from published measurements.
//
//go:embed machines/*.json
var presets embed.FS

// Presets returns the machines that come with the package, in the order of their names.
func Presets() ([]*Machine, error) {
	files, err := presets.ReadDir("machines")
	if err != nil {
		return nil, err
	}
	var all []*Machine
	for _, file := range files {
		f, err := presets.Open("machines/" + file.Name())
		if err != nil {
			return nil, err
		}
		m, err := Read(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		all = append(all, m)
	}
	return all, nil
}

// Find returns the preset of a name, or else the machine in a file of that name.
func Find(name string) (*Machine, error) {
	all, err := Presets()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if _, err := os.Stat(name); err != nil && path.Ext(name) != ".json" {
		return nil, fmt.Errorf("there is no machine %q: name a file, or one of %s", name, strings.Join(names, ", "))
	}
	return ReadFile(name)
}
