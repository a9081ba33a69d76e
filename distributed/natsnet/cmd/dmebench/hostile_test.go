//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/server"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/cli"
)

// spoil returns a frame that some stranger made of one that he has heard.
func spoil(rng *rand.Rand, frame []byte) []byte {
	b := append([]byte(nil), frame...)
	switch rng.IntN(6) {
	case 0: // again
	case 1:
		b = b[:rng.IntN(len(b))]
	case 2:
		b = append(b, make([]byte, 1+rng.IntN(wire.MaxFrame))...)
	case 3:
		b[3] = byte(rng.IntN(256)) // version
	case 4:
		b[4] |= 0xc0 // unknown flags
	case 5:
		b[5+rng.IntN(16)]++ // another run
	}
	return b
}

// A stranger on the same server hears every frame, and sends it again, cut short, longer,
// of another version or run, and to other nodes. The run holds all the same.
func TestHostileNetwork(t *testing.T) {
	t.Parallel()
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	conn, err := bus.Server{URL: s.URL()}.Connect("stranger", func(error) {})
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	rng := rand.New(rand.NewPCG(1, 2))
	run, sent := wire.NewRun(), map[string]bool{}
	_, err = conn.Subscribe("dmebench.>", func(m *nats.Msg) { // one after the other
		if len(m.Data) < 24 || sent[string(m.Data)] {
			return
		}
		b := spoil(rng, m.Data)
		sent[string(b)] = true
		conn.Publish(m.Subject, b)
		conn.Publish(bus.Subject(run, 0, 1), b)
	})
	require.NoError(t, err)
	require.NoError(t, conn.Flush())

	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	files, ends := []string{}, make(chan error, 3)
	for i := range 3 {
		name := filepath.Join(dir, fmt.Sprint(i))
		cmd := exec.CommandContext(ctx, program, "node", "-id", fmt.Sprint(i), "-of", "3", "-alg", "suzuki-kasami", "-run", run.String(), "-entries", "300", "-cs", "0",
			"-patience", "0", "-history", name, "-resource", filepath.Join(dir, "resource"))
		cmd.Env = append(os.Environ(), harness.EnvNATS+"="+s.URL())
		files = append(files, name)
		go func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			ends <- err
		}()
	}
	for range 3 {
		require.NoError(t, <-ends)
	}
	out, errs, status := dmebench(t.Context(), append([]string{"judge", "-one-machine", "-resource", filepath.Join(dir, "resource")}, files...)...)
	require.Equal(t, cli.Holds, status, "%s%s", out, errs)
}
