package cli

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes a file whole or not at all, and overwrites no file of another kind. If
// something is missing in the file, the file says so: a drawing in a corner, and text in a line
// at its end. JSON says it in its own field.
func WriteFile(path string, missing error, write func(w io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	if missing != nil {
		switch filepath.Ext(path) {
		case ".svg":
			mark := fmt.Sprintf("<text x=\"4\" y=\"12\" font-size=\"10\" fill=\"red\">incomplete: %s</text>\n</svg>", html.EscapeString(missing.Error()))
			marked := bytes.Replace(text.Bytes(), []byte("</svg>"), []byte(mark), 1)
			text = *bytes.NewBuffer(marked)
		case ".json":
		default:
			fmt.Fprintf(&text, "\nincomplete: %v\n", missing)
		}
	}
	if err := keep(path, kindOf(text.Bytes()[:min(text.Len(), headOf)])); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	err := os.WriteFile(path, text.Bytes(), 0o666)
	if info, failed := os.Stat(path); err != nil && failed == nil && info.Mode().IsRegular() {
		os.Remove(path)
	}
	return err
}

// WritePage writes a page as WriteFile does, and says on diagnostics which file it is and
// how large. Without that line, a command that prints its results does not name the page.
func WritePage(diagnostics io.Writer, path string, write func(w io.Writer) error) error {
	var page bytes.Buffer
	if err := write(&page); err != nil {
		return err
	}
	kilobytes := (page.Len() + 999) / 1000
	err := WriteFile(path, nil, func(w io.Writer) error {
		_, err := page.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(diagnostics, "%s: a page of %d kB: open it in a browser\n", Printable(path), kilobytes)
	return err
}
