// Ledger books amounts in a file that several processes share. It shows how a
// program protects something real with the lock of package natsnet.
//
//	ledger -nats nats://localhost:4222 -file account -add 5 -times 10
//
// To book an amount, the program reads the balance, computes for a while, and writes a
// line. The lock prevents two processes from doing that at once. A process may be
// stopped for longer than its lease. Then another process gets the lock, and the file
// refuses the late line. Each line has the number of its token, and no line follows a
// line with a greater number. The program makes a refused booking again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/nats-io/nats.go"

	"shmbench/distributed/natsnet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	url := flag.String("nats", nats.DefaultURL, "`URL` of a NATS server with JetStream")
	path := flag.String("file", "account", "the ledger")
	add := flag.Int64("add", 1, "the amount to book")
	times := flag.Int("times", 1, "how often")
	takes := flag.Duration("takes", 0, "how long a booking takes")
	lease := flag.Duration("lease", natsnet.DefaultLease, "the lease of the lock, the same for all processes")
	flag.Parse()
	if err := run(ctx, *url, *path, *add, *times, *takes, *lease); err != nil {
		fmt.Fprintln(os.Stderr, "ledger:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, path string, add int64, times int, takes, lease time.Duration) error {
	conn, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		return err
	}
	defer conn.Close()
	m, err := natsnet.Open(ctx, conn, "ledger", natsnet.Options{Lease: lease})
	if err != nil {
		return err
	}
	for booked := 0; booked < times; {
		switch err := book(ctx, m, path, add, takes); {
		case err == nil:
			booked++
		case errors.Is(err, natsnet.ErrLost), errors.Is(err, errStale):
			fmt.Fprintln(os.Stderr, "ledger:", err, "- again")
		default:
			return err
		}
	}
	return nil
}

// book books an amount under the lock.
func book(ctx context.Context, m *natsnet.Mutex, path string, amount int64, takes time.Duration) error {
	token, err := m.Lock(ctx)
	if err != nil {
		return err
	}
	held, cancel := token.Context(ctx) // ends before the lease does
	defer cancel()
	err = func() error {
		balance, err := read(path, token.Number)
		if err != nil {
			return err
		}
		fmt.Println("computing with token", token.Number)
		select { // the work that no other process may do meanwhile
		case <-time.After(takes):
		case <-held.Done():
			return context.Cause(held)
		}
		return write(path, token.Number, balance+amount)
	}()
	// A booking that is written stays, even if the lease ends before Unlock.
	if unlocked := m.Unlock(context.WithoutCancel(ctx)); err == nil && !errors.Is(unlocked, natsnet.ErrLost) {
		err = unlocked
	}
	return err
}
