// Package natsnet is a lock for programs on several machines: a lease on a key-value
// store of NATS JetStream, with fencing tokens.
//
//	conn, err := nats.Connect("nats://nats.example:4222")
//	m, err := natsnet.Open(ctx, conn, "ledger", natsnet.Options{Lease: 10 * time.Second})
//	token, err := m.Lock(ctx)
//	balance, err := ledger.Read(token.Number) // refuses a number less than the greatest seen
//	err = ledger.Write(token.Number, balance+5)
//	err = m.Unlock(ctx)
//
// Who holds the lock renews its lease. A holder that crashes loses the lock when the
// lease is over. A holder that is stopped, or cut off the server, for longer than the
// lease loses it, too, and another process gets it while the first one may still
// work. No lock with a lease can exclude that. So:
//
//   - The holder stops working when Token.Lost is closed. That happens a tenth of the
//     lease before the server gives the lock away, by the holder's own clock.
//   - What the lock protects refuses a token with a lesser number than the greatest
//     that it has seen, when the holder reads and when it writes. A process that was
//     stopped does not notice that time passes, and only this check keeps its late
//     write out. The program example/ledger shows it.
//
// The messages of this project's other algorithms also run over NATS, by the program
// cmd/dmebench. distributed/docs/network.md says which of them may protect something, and why
// the others may not.
package natsnet
