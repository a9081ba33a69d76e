package pagetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandsOfAPage(t *testing.T) {
	page := strings.ReplaceAll(`# A page

    shmbench list -alg 'a|b'   # a remark
    shmbench run -o a.txt      another remark
    cd folder
    go test ./...

text

    no output of
    ...

    anything

'''
$ shmbench check -alg 'a  b'
it holds
  indented

$ shmbench list
'''

'''go
shmbench list
'''
- a list
    of no code
`, "'''", "```")
	commands, outputs := ShownOn("p", page)
	require.Equal(t, []ShownCommand{
		{"p", 3, "shmbench list -alg 'a|b'", ""},
		{"p", 4, "shmbench run -o a.txt", ""},
		{"p", 6, "go test ./...", "folder"},
		{"p", 16, "shmbench check -alg 'a  b'", ""},
		{"p", 20, "shmbench list", ""},
	}, commands)
	require.Equal(t, []ShownOutput{
		{"p", 10, []string{"no output of", "...", "", "anything"}},
		{"p", 17, []string{"it holds", "  indented"}},
	}, outputs)
}

func TestShellWords(t *testing.T) {
	words, simple := ShellWords(`shmbench list -alg 'a|b c' -x "d e" ''`)
	require.True(t, simple)
	require.Equal(t, []string{"shmbench", "list", "-alg", "a|b c", "-x", "d e", ""}, words)
	for _, line := range []string{"a; b", "a > b", "a $b", `a "$b"`, "a 'b", "a $(b)", "a *"} {
		_, simple := ShellWords(line)
		require.False(t, simple, line)
	}
}

func TestWithoutRemark(t *testing.T) {
	for line, want := range map[string]string{
		`shmbench list -alg 'a  b'  # a remark`:    `shmbench list -alg 'a  b'`,
		`shmbench list -alg "a  b"  # a remark`:    `shmbench list -alg "a  b"`,
		`shmbench list -alg 'a  ' -x   a remark`:   `shmbench list -alg 'a  ' -x`,
		`shmbench list -alg "a  " -x #a remark`:    `shmbench list -alg "a  " -x`,
		`shmbench list -alg 'a #b'  it's a remark`: `shmbench list -alg 'a #b'`,
		`shmbench list -alg a#b`:                   `shmbench list -alg a#b`,
	} {
		require.Equal(t, want, withoutRemark(line), line)
	}
}
