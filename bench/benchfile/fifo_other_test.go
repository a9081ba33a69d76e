//go:build !unix

package benchfile_test

import "errors"

func mkfifo(string) error { return errors.New("no named pipes here") }
