package supervise

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"shmbench/internal/build/scratch"
	"shmbench/internal/run/filelock"
	"shmbench/shm/region"
)

// Where the folders of regions are, how their names begin, and how old one is at least that
// Create removes. A folder that was just made has no lock yet, and a new supervisor has this
// long to adopt one.
const (
	memory = "/dev/shm"
	prefix = "shmbench-region-"
	stale  = 10 * time.Minute
	inside = "region" // the name of the file in the folder
)

// Shared is a region in a file, which only one supervisor uses at a time.
type Shared struct {
	*region.Region
	lock   *os.File
	remove func()
}

// Create makes a region of a size in bytes in a new folder of /dev/shm. It first removes the
// folders of supervisors that were killed, which it knows by their names: they are more than
// ten minutes old, and no program has the lock of their file.
func Create(size int) (*Shared, error) {
	clean(memory, time.Now().Add(-stale))
	dir, remove, err := scratch.Folder(memory, prefix)
	if err != nil {
		return nil, err
	}
	r, err := region.New(filepath.Join(dir, inside), size)
	if err != nil {
		remove()
		return nil, err
	}
	lock, err := locked(r)
	if err != nil {
		remove()
		return nil, err
	}
	return &Shared{r, lock, remove}, nil
}

// Adopt attaches to the region of a supervisor that has ended, at the path that Path returned
// there. From now on the folder is this program's. It is an error if another supervisor uses
// the region.
func Adopt(path string) (*Shared, error) {
	r, err := region.Attach(path)
	if err != nil {
		return nil, err
	}
	lock, err := locked(r)
	if err != nil {
		return nil, err
	}
	remove, err := scratch.Adopt(filepath.Dir(path))
	if err != nil {
		return nil, errors.Join(err, lock.Close(), r.Close())
	}
	return &Shared{r, lock, remove}, nil
}

// locked takes the lock of a region's file, or closes the region.
func locked(r *region.Region) (*os.File, error) {
	f, err := os.Open(r.Path())
	if err == nil {
		if err = filelock.Try(f); err == nil {
			return f, nil
		}
		f.Close()
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", r.Path(), err), r.Close())
}

// Close unmaps the region and removes its file.
func (s *Shared) Close() error {
	err := s.Region.Close()
	s.lock.Close()
	s.remove()
	return err
}

// clean removes the folders of regions in a directory that are older than a time, and that
// no program uses. What it cannot remove, another user's for example, it leaves.
func clean(directory string, before time.Time) {
	folders, _ := filepath.Glob(filepath.Join(directory, prefix+"*"))
	for _, folder := range folders {
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || info.ModTime().After(before) {
			continue
		}
		f, err := os.Open(filepath.Join(folder, inside))
		if err == nil {
			err = filelock.Try(f)
			f.Close()
			if err != nil {
				continue
			}
		}
		os.RemoveAll(folder)
	}
}
