//go:build unix

package clitest

import (
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// scripts are a program that works until it is told to end, and a program that refuses to work.
var scripts = map[string]string{
	"lengthy.sh": "trap 'echo stopped >&2; exit 3' TERM\necho begun >out.txt\nwhile :; do sleep 0.01; done\n",
	"refused.sh": "echo >refused.txt\necho refused\nexit 2\n",
}

// TestTypedLines: a command line that is refused, and two that are told to end once they
// have begun. Only the last of them has another command line beside it.
func TestTypedLines(t *testing.T) {
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	for name, c := range map[string]TypedLine{
		"refused": {Line: "refused.sh", Status: 2, Makes: map[string]string{"refused.txt": ""}},
		"stopped": {Line: "lengthy.sh", Begun: "out.txt", Signals: Sent(syscall.SIGTERM), Status: 3, Says: "stopped\n", Makes: map[string]string{"out.txt": "^begun\n$"}},
		"beside": {Line: "lengthy.sh", Begun: "out.txt", Beside: "refused.sh", Refusal: "refused\n", Signals: Sent(syscall.SIGTERM),
			Status: 3, Says: "stopped\n", Makes: map[string]string{"out.txt": "^begun\n$", "refused.txt": ""}},
	} {
		t.Run(name, func(t *testing.T) { c.test(t, sh, scripts) })
	}
}
