// Package server runs a NATS server inside this program, for runs on one machine.
package server

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nuid"
)

// A Server is a NATS server on the loopback interface, with JetStream. Its clients need a
// secret token. An acknowledged write is on the disk, because the server syncs every
// write.
type Server struct {
	options server.Options
	running *server.Server
}

// Start starts a server that stores its data in directory dir.
func Start(dir string) (*Server, error) {
	s := &Server{options: server.Options{
		ServerName: "dmebench", Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: nuid.New().Next(),
		JetStream: true, SyncAlways: true, StoreDir: dir, NoSigs: true, NoLog: true,
	}}
	if err := s.start(); err != nil {
		return nil, err
	}
	s.options.Port = s.running.Addr().(*net.TCPAddr).Port // also after a restart
	return s, nil
}

func (s *Server) start() error {
	o := s.options // the server changes it
	running, err := server.NewServer(&o)
	if err != nil {
		return fmt.Errorf("the NATS server: %w", err)
	}
	running.Start()
	if !running.ReadyForConnections(30 * time.Second) {
		running.Shutdown()
		return errors.New("the NATS server is not ready for connections after 30 s")
	}
	s.running = running
	return nil
}

// URL returns the URL of the server, with the token that clients need.
func (s *Server) URL() string {
	return fmt.Sprintf("nats://%s@127.0.0.1:%d", s.options.Authorization, s.options.Port)
}

// Stop stops the server. Messages under way are lost.
func (s *Server) Stop() {
	s.running.Shutdown()
	s.running.WaitForShutdown()
}

// SlowConsumers returns how many clients the server has cut off since its last
// start because they took their messages too slowly.
func (s *Server) SlowConsumers() int64 { return s.running.NumSlowConsumers() }

// Restart stops the server and starts it again at the same address.
func (s *Server) Restart() error {
	s.Stop()
	return s.start()
}
