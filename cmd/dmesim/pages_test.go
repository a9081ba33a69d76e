package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/pagetest"
)

// howPages says how the commands of the pages are run.
const howPages = "testdata/pages.txt"

// pagesOf returns the pages with commands of dmesim and the root of the checkout.
func pagesOf(t *testing.T) (root string, pages []string) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	return root, pagetest.In(t, root, "distributed/docs", "documents.md")
}

// TestPages: the pages of distributed/docs show commands that work, and what they print.
func TestPages(t *testing.T) {
	root, pages := pagesOf(t)
	pagetest.Program{Name: name, Run: dmesim}.Pages(t, root, pages, howPages)
}

// TestPagesHaveEntries: each command of a page has its entry in the file that says how it
// is run, and each entry its command.
func TestPagesHaveEntries(t *testing.T) {
	root, pages := pagesOf(t)
	pagetest.RequireEntries(t, root, pages, howPages)
}
