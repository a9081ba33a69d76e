package cli

import (
	"flag"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("data", []byte("data"), 0o600))
	require.NoError(t, os.WriteFile("page.html", []byte("{}"), 0o600))
	require.NoError(t, os.Mkdir("folder", 0o700))
	require.NoError(t, os.WriteFile("folder/more", nil, 0o600))
	cases := map[string]string{
		"-out new":                          "",
		"-out data":                         "",
		"-out new -also folder/new":         "",
		"-in data -out new other":           "",
		"-maybe new -out new2":              "",
		"-folder folder":                    "",
		"-folder new/er":                    "",
		"-out -":                            "-out -: name a file: standard output gets everything else",
		"-out folder":                       "-out folder: this is a folder: name a file in it",
		"-out nowhere/new":                  "-out nowhere/new: there is no folder nowhere",
		"-out data/new":                     "-out data/new: there is no folder data",
		"-out new -also ./new":              "-also and -out both name new: name two files",
		"-in data -out folder/../data":      "-in and -out both name folder/../data: name two files",
		"-maybe data -out data":             "-maybe and -out both name data: name two files",
		"-out data data":                    "-out data: the command reads this file: name another to write to",
		"-out data folder/more ./data":      "-out data: the command reads this file: name another to write to",
		"-in nowhere":                       "-in nowhere: there is no such file",
		"-in folder":                        "-in folder: this is a folder: name a file in it",
		"-folder data":                      "-folder data: this is a file, and not a folder",
		"-in data -maybe data":              "",
		"-out new -folder folder -loud":     "",
		"-either new -several a":            "",
		"-either folder/ data":              "",
		"-either folder data":               "-either folder: this is a folder: name a file in it",
		"-either new/":                      "",
		"-either data":                      "-either data: this is another text, and an HTML page would overwrite it: name another file, or remove it first",
		"-out page.html":                    "-out page.html: this is a JSON document, and an HTML page would overwrite it: name another file, or remove it first",
		"-either data/":                     "-either data/: this is a file, and not a folder",
		"-either data data":                 "-either data: the command reads this file: name another to write to",
		"-either nowhere/new":               "-either nowhere/new: there is no folder nowhere",
		"-several a -several b":             "",
		"-several a -several ./a":           "-several and -several both name ./a: name two files",
		"-in data -several a -several data": "-in and -several both name data: name two files",
		"-several a -several data data":     "-several data: the command reads this file: name another to write to",
		"-several a -several folder":        "-several folder: this is a folder: name a file in it",
	}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("data", "link"))
		require.NoError(t, os.Link("data", "hard"))
		cases["-in data -out link"] = "-in and -out both name link: name two files"
		cases["-out hard data"] = "-out hard: the command reads this file: name another to write to"
	}
	if runtime.GOOS == "linux" {
		cases["-out /dev/null -also /dev/full"] = ""
		cases["-out /proc/self/new"] = "-out /proc/self/new: no such file or directory"
	}
	requireSays(t, program(func(*flag.FlagSet) error { return nil }), cases)
	text, err := os.ReadFile("data")
	require.NoError(t, err)
	require.Equal(t, "data", string(text), "nothing is written to find out whether it can be")
	require.NoFileExists(t, "new")
}
