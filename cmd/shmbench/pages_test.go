package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/pagetest"
)

// asPages is the program, as package pagetest runs it.
var asPages = pagetest.Program{Name: "shmbench", Run: shmbench}

// howPages says how the commands of the pages are run.
const howPages = "testdata/pages.txt"

// pagesOf returns the pages with commands of shmbench and the root of the checkout.
func pagesOf(t *testing.T) (root string, pages []string) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	return root, append([]string{"README.md"}, pagetest.In(t, root, "docs", "teaching.md")...)
}

// TestPages: the README and the pages of docs show commands that work, and what they
// print.
func TestPages(t *testing.T) {
	root, pages := pagesOf(t)
	asPages.Pages(t, root, pages, howPages)
}

// TestPagesHaveEntries: each command of a page has its entry in the file that says how it
// is run, and each entry its command.
func TestPagesHaveEntries(t *testing.T) {
	root, pages := pagesOf(t)
	pagetest.RequireEntries(t, root, pages, howPages)
}
