package bus

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
)

// pair makes a pair of keys, and the name by which others sign for it.
func pair(t *testing.T, create func() (nkeys.KeyPair, error)) (keys nkeys.KeyPair, subject string) {
	keys, err := create()
	require.NoError(t, err)
	subject, err = keys.PublicKey()
	require.NoError(t, err)
	return keys, subject
}

// A server of an operator knows users by the credentials file that their account has
// signed, and no others.
func TestCredentialsFile(t *testing.T) {
	dir := t.TempDir()
	operator, operatorID := pair(t, nkeys.CreateOperator)
	account, accountID := pair(t, nkeys.CreateAccount)
	o := jwt.NewOperatorClaims(operatorID)
	accounts := &server.MemAccResolver{}
	said, err := jwt.NewAccountClaims(accountID).Encode(operator)
	require.NoError(t, err)
	require.NoError(t, accounts.Store(accountID, said))
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, AuthTimeout: 60,
		TrustedOperators: []*jwt.OperatorClaims{o}, AccountResolver: accounts,
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(time.Minute))

	credentials := func(name string, by nkeys.KeyPair) (path, seed string) {
		user, userID := pair(t, nkeys.CreateUser)
		claims := jwt.NewUserClaims(userID)
		said, err := claims.Encode(by)
		require.NoError(t, err)
		secret, err := user.Seed()
		require.NoError(t, err)
		text, err := jwt.FormatUserConfig(said, secret)
		require.NoError(t, err)
		path = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		return path, string(secret)
	}
	at := Server{URL: "nats://127.0.0.1:" + strconv.Itoa(s.Addr().(*net.TCPAddr).Port)}
	at.Credentials, _ = credentials("good.creds", account)
	conn, err := at.Connect("test", func(error) {})
	require.NoError(t, err)
	require.NoError(t, conn.Flush())
	conn.Close()

	stranger, _ := pair(t, nkeys.CreateAccount)
	var seed string
	at.Credentials, seed = credentials("stranger.creds", stranger)
	_, err = at.Connect("test", func(error) {})
	require.Error(t, err)
	require.NotContains(t, err.Error(), seed)
	at.Credentials = ""
	_, err = at.Connect("test", func(error) {})
	require.Error(t, err)
}
