package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"shmbench/distributed"
)

// Kept is the file with the state of a node that must survive a crash.
type Kept struct {
	path string
	of   keptState
	was  []int64 // the content of the file; nil: the file is empty
}

// keptState is what the file holds, in JSON.
type keptState struct {
	Run       string         `json:"run"` // the fingerprint of the run's name
	Algorithm string         `json:"algorithm"`
	Node      distributed.ID `json:"node"`
	Kept      []int64        `json:"kept"`
}

// OpenKept reads the file at path, which need not exist. It returns an error if
// the file belongs to another run or node.
func OpenKept(path, run, algorithm string, node distributed.ID) (*Kept, error) {
	k := &Kept{path: path, of: keptState{Run: run, Algorithm: algorithm, Node: node}}
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err != nil:
		return nil, err
	}
	var there keptState
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&there); err != nil || there.Kept == nil {
		return nil, fmt.Errorf("%s holds something else than the state of a node, and is not overwritten", path)
	}
	if there.Run != run || there.Algorithm != algorithm || there.Node != node {
		return nil, fmt.Errorf("%s holds the state of node %d of another run (%s, run %s): name another file", path, there.Node, there.Algorithm, there.Run)
	}
	k.was = there.Kept
	return k, nil
}

// save writes kept to the disk and replaces the content of the file.
func (k *Kept) save(kept []int64) error {
	k.of.Kept = kept
	b, err := json.Marshal(k.of)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(k.path), filepath.Base(k.path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // unless it is renamed
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), k.path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(k.path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
