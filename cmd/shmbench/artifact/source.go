package artifact

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	sourceFolder = "source"
	sumsFile     = "SHA256SUMS"
)

// WriteSources writes the files of a lock, by names with slashes, and their checksums.
func WriteSources(dir string, sources map[string][]byte) error {
	for name, text := range sources {
		if err := write(dir, sourceFolder+"/"+name, text); err != nil {
			return err
		}
	}
	return write(dir, sumsFile, []byte(sums(sources)))
}

// ReadSources reads the files of a lock back. It refuses symbolic links, which could lead out of the artifact.
func ReadSources(dir string) (map[string][]byte, error) {
	if info, err := os.Lstat(filepath.Join(dir, sourceFolder)); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, fmt.Errorf("%s is no folder", sourceFolder))
	}
	root, err := os.OpenRoot(filepath.Join(dir, sourceFolder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files := map[string][]byte{}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
		case !d.Type().IsRegular():
			err = fmt.Errorf("%s/%s is no regular file: an artifact has only folders and regular files", sourceFolder, name)
		default:
			files[name], err = root.ReadFile(filepath.FromSlash(name))
		}
		return err
	})
	return files, err
}

// sums are checksums as sha256sum prints them.
func sums(sources map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(&b, "%x  %s/%s\n", sha256.Sum256(sources[name]), sourceFolder, name)
	}
	return b.String()
}

// Changed names a file that differs from the checksums of an artifact, or is empty.
func Changed(dir string, sources map[string][]byte) string {
	text, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return err.Error()
	}
	was, is := lines(string(text)), lines(sums(sources))
	for _, line := range slices.Concat(was, is) {
		if !slices.Contains(was, line) || !slices.Contains(is, line) {
			_, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
			return cmp.Or(file, sumsFile)
		}
	}
	return ""
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }
