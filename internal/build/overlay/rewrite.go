package overlay

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"strconv"
)

// Rewrite returns Go source text with its imports replaced. An import without
// a name gets that of the package it replaces, so that the code stays as it
// is; no line moves. The file name is for errors.
func Rewrite(file string, text []byte, replace map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	end := 0
	for _, spec := range parsed.Imports {
		old, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		twin, ok := replace[old]
		if !ok {
			continue
		}
		begin := fset.Position(spec.Path.Pos()).Offset
		out.Write(text[end:begin])
		if spec.Name == nil {
			out.WriteString(path.Base(old) + " ")
		}
		out.WriteString(strconv.Quote(twin))
		end = begin + len(spec.Path.Value)
	}
	out.Write(text[end:])
	return out.Bytes(), nil
}
