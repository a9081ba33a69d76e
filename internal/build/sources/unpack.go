package sources

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// kept is how long a copy stays that no program has used.
const kept = 30 * 24 * time.Hour

// unpack makes a copy of the files in folder, under their hash, and returns its
// directory. It leaves what is already right alone, so that a damaged copy is repaired.
// Each file appears whole and at once, by a rename, so that programs that unpack the
// same files at the same time do not disturb one another.
func unpack(ctx context.Context, folder string, files map[string][]byte) (string, error) {
	dir := filepath.Join(folder, hash(files))
	err := repair(ctx, dir, files)
	if err == nil {
		now := time.Now()
		err = os.Chtimes(dir, now, now)
	}
	if err != nil && ctx.Err() == nil {
		return "", fmt.Errorf("the sources of the locks cannot be unpacked into the user's cache folder: %w", err)
	}
	return dir, ctx.Err()
}

// hash returns the name of a copy of the files.
func hash(files map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%q %d\n%s", name, len(files[name]), files[name])
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// repair makes a directory have the files, and no other.
func repair(ctx context.Context, dir string, files map[string][]byte) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		discard(filepath.Dir(dir), time.Now().Add(-kept))
	}
	if err := removeOthers(dir, files); err != nil {
		return err
	}
	staged := "" // a folder in which files are written before they are moved
	defer func() {
		if staged != "" {
			os.RemoveAll(staged)
		}
	}()
	for name, text := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, text) {
			continue
		}
		if staged == "" {
			var err error
			if staged, err = os.MkdirTemp(filepath.Dir(dir), "new-"); err != nil {
				return err
			}
		}
		if err := place(filepath.Join(staged, "file"), path, text); err != nil {
			return err
		}
	}
	return nil
}

// place writes a file elsewhere and moves it to its path.
func place(elsewhere, path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(elsewhere, text, 0o666); err != nil {
		return err
	}
	return os.Rename(elsewhere, path)
}

// removeOthers removes what is in a copy and does not belong there: another Go file
// would become a part of its package.
func removeOthers(dir string, files map[string][]byte) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, belongs := files[filepath.ToSlash(name)]; belongs && entry.Type().IsRegular() {
			return nil
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// discard removes the copies that were last used before a time: each version of
// shmbench has its own. Copies that cannot be removed stay.
func discard(folder string, before time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.ModTime().Before(before) {
			os.RemoveAll(filepath.Join(folder, entry.Name()))
		}
	}
}
