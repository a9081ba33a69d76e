package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Writes says that flags name files that the verb writes, whose endings tell the kind. Each must
// be the name of a file that can be written, of no file of another kind, and of no other file
// that is written or read.
func Writes(fs *flag.FlagSet, names ...string) { mark(fs, written, "", names) }

// WritesKind is Writes of flags that name files of one kind, whatever their endings are.
func WritesKind(fs *flag.FlagSet, kind string, names ...string) { mark(fs, written, kind, names) }

// WritesFolder is Writes of flags that name folders. A folder need not be there.
func WritesFolder(fs *flag.FlagSet, names ...string) { mark(fs, writtenFolder, "", names) }

// WritesFileOrFolder is WritesKind of flags that name a file, or else a folder as IsFolder knows it.
func WritesFileOrFolder(fs *flag.FlagSet, kind string, names ...string) {
	mark(fs, writtenEither, kind, names)
}

// IsFolder reports whether a name to be written is that of a folder: it ends with a slash.
func IsFolder(name string) bool { return name != "" && os.IsPathSeparator(name[len(name)-1]) }

// Reads says that flags name files that the verb reads.
func Reads(fs *flag.FlagSet, names ...string) { mark(fs, read, "", names) }

// MayRead is Reads of flags with values that can be something else than a file.
func MayRead(fs *flag.FlagSet, names ...string) { mark(fs, mayBeRead, "", names) }

// Errors about the name of a file.
const (
	noFile   = "there is no such file"
	isFolder = "this is a folder: name a file in it"
)

// use is what a verb does with a file that a flag names.
type use int

const (
	read use = iota + 1
	mayBeRead
	written
	writtenFolder
	writtenEither
)

// file is a flag's value that names a file.
type file struct {
	flag.Value
	use  use
	kind string // of a file that is written
}

func mark(fs *flag.FlagSet, u use, kind string, names []string) {
	for _, name := range names {
		f := fs.Lookup(name)
		f.Value = &file{f.Value, u, kind}
	}
}

// useOf returns what is done with the file that a flag names, and of what kind it is; 0: it
// names none.
func useOf(v flag.Value) (u use, kind string) {
	switch v := v.(type) {
	case *onceValue:
		return useOf(v.Value)
	case *file:
		return v.use, v.kind
	}
	return 0, ""
}

// Files is the value of a flag that may be given several times, and names a file each time.
type Files interface {
	flag.Value
	Files() []string
}

// namedFile is a file that a flag names.
type namedFile struct {
	flag, name string
	use        use
	kind       string
}

// filesIn returns the files that the flags name, also those that were not given.
func filesIn(fs *flag.FlagSet) (all []namedFile) {
	fs.VisitAll(func(f *flag.Flag) {
		u, kind := useOf(f.Value)
		names := []string{f.Value.String()}
		if several, ok := Bare(f.Value).(Files); ok {
			names = several.Files()
		}
		for _, name := range names {
			if u == writtenEither {
				u = written
				if IsFolder(name) {
					u = writtenFolder
				}
			}
			if u != 0 && name != "" {
				all = append(all, namedFile{f.Name, name, u, kind})
			}
		}
	})
	return all
}

// check says why a file cannot be used; nil: it can.
func (f namedFile) check() (err error) {
	switch f.use {
	case read:
		err = Readable(f.name)
	case written:
		err = First(writable(f.name), keep(f.name, cmp.Or(f.kind, endings[filepath.Ext(f.name)])))
	case writtenFolder:
		err = folder(f.name)
	}
	if err != nil {
		err = fmt.Errorf("-%s %s: %w", f.flag, f.name, err)
	}
	return err
}

// checkFiles refuses names of files that cannot be right. The arguments are names of
// files that are read, too.
func checkFiles(fs *flag.FlagSet, args []string) error {
	for _, arg := range args {
		if err := NotWritten(fs, arg); err != nil {
			return err
		}
	}
	all := filesIn(fs)
	for i, f := range all {
		for _, other := range all[:i] {
			if (f.use >= written || other.use >= written) && sameFile(f.name, other.name) {
				return fmt.Errorf("-%s and -%s both name %s: name two files", other.flag, f.flag, f.name)
			}
		}
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

// NotWritten returns an error if a flag names the file, which the verb reads, as one to be
// written. A flag that was not given may name it by default.
func NotWritten(fs *flag.FlagSet, path string) error {
	for _, f := range filesIn(fs) {
		if f.use == written && sameFile(f.name, path) {
			return fmt.Errorf("-%s %s: the command reads this file: name another to write to", f.flag, f.name)
		}
	}
	return nil
}

// Readable says why a file cannot be read; nil: it can.
func Readable(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New(noFile)
	case err != nil:
		return cause(err)
	case info.IsDir():
		return errors.New(isFolder)
	}
	return nil
}

// writable says why a file cannot be written. It changes nothing.
func writable(name string) error {
	if name == "-" {
		return errors.New("name a file: standard output gets everything else")
	}
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s", dir)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		probe, err := os.CreateTemp(dir, ".shmbench-")
		if err != nil {
			return cause(err)
		}
		defer os.Remove(probe.Name())
		return probe.Close()
	case err != nil:
		return cause(err)
	case info.IsDir():
		return errors.New(isFolder)
	case info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return cause(err)
		}
		return f.Close()
	}
	return nil // a device or a pipe
}

// folder says why a name cannot be that of a folder.
func folder(name string) error {
	if info, err := os.Stat(filepath.Clean(name)); err == nil && !info.IsDir() {
		return errors.New("this is a file, and not a folder")
	}
	return nil
}

// cause returns an error of a system call without what was done to which file.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(one, other)
	}
	absA, _ := filepath.Abs(a)
	absB, _ := filepath.Abs(b)
	return absA == absB
}
