package main

import (
	"io"

	"shmbench/cmd/shmbench/bibtex"
	"shmbench/shm"
)

// citeOne prints the source of the named algorithm as a BibTeX entry.
func citeOne(w io.Writer, names []string) error {
	a, err := named(names)
	if err != nil {
		return err
	}
	return citeAll(w, []shm.Algorithm{a})
}

// citeAll prints the sources of algorithms as BibTeX entries, each source once.
func citeAll(w io.Writer, algorithms []shm.Algorithm) error {
	var sources []shm.Source
	for _, a := range algorithms {
		sources = append(sources, a.Source)
	}
	_, err := io.WriteString(w, bibtex.Entries(sources))
	return err
}
