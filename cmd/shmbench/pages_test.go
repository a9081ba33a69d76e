package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/pagetest"
)

// asPages is the program, as package pagetest runs it.
var asPages = pagetest.Program{Name: "shmbench", Run: shmbench}

// TestPages: the README and the pages of docs show commands that work, and what they
// print.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	pages := append([]string{"README.md"}, pagetest.In(t, root, "docs", "course.md")...)
	asPages.Pages(t, root, pages, "testdata/pages.txt")
}
