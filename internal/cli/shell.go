package cli

import (
	"flag"
	"strings"
)

// Quote puts a word into quotes if a shell would change it.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// CommandLine is the program, the verb and the flags that were given, as a shell takes them.
func CommandLine(program string, fs *flag.FlagSet) string {
	words := []string{program, fs.Name()}
	fs.Visit(func(f *flag.Flag) { words = append(words, "-"+f.Name+"="+Quote(f.Value.String())) })
	return strings.Join(words, " ")
}
