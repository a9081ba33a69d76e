package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"shmbench/internal/run/filelock"
)

// errStale is the error of the ledger for an old token.
var errStale = errors.New("the ledger refuses an old token")

// open opens the ledger. No other process changes it until it is closed. A file on
// one machine can ensure this itself. A resource on a server checks the token there.
// A database, for instance, can use UPDATE … WHERE token <= $1.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := filelock.Try(f)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, filelock.ErrHeld) {
			f.Close()
			return nil, err
		}
		time.Sleep(time.Millisecond)
	}
}

// last returns the token and the balance of the last line.
func last(f *os.File) (token uint64, balance int64, err error) {
	var verb string
	b, err := io.ReadAll(f)
	if err != nil || len(b) == 0 {
		return 0, 0, err
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	_, err = fmt.Sscanf(lines[len(lines)-1], "token %d %s %d", &token, &verb, &balance)
	return token, balance, err
}

// read returns the balance. The ledger notes the token, and accepts no line with
// a lesser token from then on. Otherwise a late line could come between read and
// write.
func read(path string, token uint64) (balance int64, err error) {
	err = note(path, token, "reads", func(now int64) int64 { balance = now; return now })
	return balance, err
}

// write sets the balance.
func write(path string, token uint64, balance int64) error {
	return note(path, token, "writes", func(int64) int64 { return balance })
}

// note appends a line, unless the ledger has seen a later token.
func note(path string, token uint64, verb string, next func(balance int64) int64) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	seen, balance, err := last(f)
	if err != nil {
		return err
	}
	if token < seen {
		return fmt.Errorf("%w: %d after %d", errStale, token, seen)
	}
	if _, err := fmt.Fprintf(f, "token %d %s %d\n", token, verb, next(balance)); err != nil {
		return err
	}
	return f.Sync()
}
