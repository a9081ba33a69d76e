package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/pagetest"
)

// TestPages: the pages of distributed/docs show commands that work, and what they print.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	program := pagetest.Program{Name: name, Run: dmesim}
	program.Pages(t, root, pagetest.In(t, root, "distributed/docs", "documents.md"), "testdata/pages.txt")
}
