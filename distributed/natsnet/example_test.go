package natsnet_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"shmbench/distributed/natsnet"
	"shmbench/distributed/natsnet/server"
)

// account is what the lock protects. It is on another machine, say, and does no more
// than to check the tokens.
type account struct {
	mu      sync.Mutex
	seen    uint64 // the greatest token
	balance int
}

var errOldToken = errors.New("an old token")

func (a *account) read(token uint64) (balance int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if token < a.seen {
		return 0, errOldToken
	}
	a.seen = token
	return a.balance, nil
}

func (a *account) write(token uint64, balance int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if token < a.seen {
		return errOldToken
	}
	a.seen, a.balance = token, balance
	return nil
}

// Three workers, each with a connection of its own as on three machines, book in turn.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := server.Start(dir) // a program connects to a server that is there
	if err != nil {
		panic(err)
	}
	defer s.Stop()

	var a account
	work := func() error {
		ctx := context.Background()
		conn, err := nats.Connect(s.URL(), nats.MaxReconnects(-1))
		if err != nil {
			return err
		}
		defer conn.Close()
		m, err := natsnet.Open(ctx, conn, "account", natsnet.Options{Lease: time.Minute})
		if err != nil {
			return err
		}
		for range 10 {
			token, err := m.Lock(ctx)
			if err != nil {
				return err
			}
			balance, err := a.read(token.Number)
			if err == nil {
				err = a.write(token.Number, balance+1)
			}
			if err := errors.Join(err, m.Unlock(ctx)); err != nil {
				return err // natsnet.ErrLost, say
			}
		}
		return nil
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if err := work(); err != nil {
				fmt.Println(err)
			}
		})
	}
	wg.Wait()
	fmt.Println("balance", a.balance)
	// Output: balance 30
}
