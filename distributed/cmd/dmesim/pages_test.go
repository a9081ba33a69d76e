package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/pagetest"
)

// howPages says how the commands of the pages are run.
const howPages = "testdata/pages.txt"

// pagesOf returns the pages with commands of dmesim and the root of the checkout.
func pagesOf(t *testing.T) (checkout string, pages []string) {
	checkout, err := filepath.Abs(root)
	require.NoError(t, err)
	return checkout, append([]string{"distributed/README.md"}, pagetest.In(t, checkout, "distributed/docs", "documents.md")...)
}

// TestPages: the README and the pages of docs show commands that work, and what they print.
func TestPages(t *testing.T) {
	checkout, pages := pagesOf(t)
	pagetest.Program{Name: name, Run: dmesim}.Pages(t, checkout, pages, howPages)
}

// TestPagesHaveEntries: each command of a page has its entry in the file that says how it
// is run, and each entry its command.
func TestPagesHaveEntries(t *testing.T) {
	checkout, pages := pagesOf(t)
	pagetest.RequireEntries(t, checkout, pages, howPages)
}
