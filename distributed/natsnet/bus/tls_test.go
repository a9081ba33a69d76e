package bus

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"
)

// authority signs certificates for 127.0.0.1.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{dir: t.TempDir()}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.key, a.cert = a.make(t, "ca", template)
	return a
}

// make writes name.pem and name.key.
func (a *authority) make(t *testing.T, name string, c *x509.Certificate) (*ecdsa.PrivateKey, *x509.Certificate) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c.Subject, c.NotBefore, c.NotAfter = pkix.Name{CommonName: name}, time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	require.NoError(t, err)
	private, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	for suffix, b := range map[string]*pem.Block{".pem": {Type: "CERTIFICATE", Bytes: der}, ".key": {Type: "EC PRIVATE KEY", Bytes: private}} {
		require.NoError(t, os.WriteFile(a.path(name+suffix), pem.EncodeToMemory(b), 0o600))
	}
	made, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return key, made
}

func (a *authority) path(name string) string { return filepath.Join(a.dir, name) }

// A server that wants a password and a certificate gets both, and is not trusted
// without its own.
func TestCredentialsAndTLS(t *testing.T) {
	a := newAuthority(t)
	a.make(t, "server", &x509.Certificate{SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	a.make(t, "client", &x509.Certificate{SerialNumber: big.NewInt(3), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	certificate, err := tls.LoadX509KeyPair(a.path("server.pem"), a.path("server.key"))
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Username: "alice", Password: "s3cret", NoSigs: true, NoLog: true, TLSTimeout: 60, AuthTimeout: 60,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool, MinVersion: tls.VersionTLS12},
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(time.Minute))
	at := func(who string) string {
		return fmt.Sprintf("tls://%s127.0.0.1:%d", who, s.Addr().(*net.TCPAddr).Port)
	}
	good := Server{URL: at("alice:s3cret@"), CA: a.path("ca.pem"), Cert: a.path("client.pem"), Key: a.path("client.key")}
	conn, err := good.Connect("test", func(error) {})
	require.NoError(t, err)
	require.NoError(t, conn.Flush())
	conn.Close()

	for name, change := range map[string]func(s *Server){
		"another password":         func(s *Server) { s.URL = at("alice:wr0ng@") },
		"no password":              func(s *Server) { s.URL = at("") },
		"no certificate":           func(s *Server) { s.Cert, s.Key = "", "" },
		"nobody vouches for it":    func(s *Server) { s.CA = "" },
		"no credentials there":     func(s *Server) { s.Credentials = a.path("none.creds") },
		"no such certificate file": func(s *Server) { s.Cert = a.path("none.pem") },
	} {
		bad := good
		change(&bad)
		_, err := bad.Connect("test", func(error) {})
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "s3cret", name)
		require.NotContains(t, err.Error(), "wr0ng", name)
	}
}
