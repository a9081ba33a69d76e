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
// A holder renews the lease of its lock. A holder that crashes loses the lock at the end of
// the lease. So does a holder that is stopped, or cut off from the server, for longer than
// the lease. Another process then gets the lock while the first may still work. No lock with
// a lease can exclude that. So:
//
//   - The holder must stop working when Token.Lost is closed. By the holder's own clock, that
//     happens a tenth of the lease before the server gives the lock to another process.
//   - The protected resource must refuse a token with a lesser number than the greatest that
//     it has seen. It checks this when the holder reads and when it writes. A process that was
//     stopped does not notice that time has passed, and only this check stops its late write.
//     The program example/ledger shows the check.
//
// The program cmd/dmebench runs this project's other algorithms over NATS. The page
// distributed/docs/lock.md says which of them can protect a resource, and why the others
// cannot.
package natsnet
