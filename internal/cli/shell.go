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

// CommandLine is the program, the verb, the flags that were given and the arguments, as a
// shell takes them.
func CommandLine(program string, fs *flag.FlagSet, args ...string) string {
	words := []string{program, fs.Name()}
	fs.Visit(func(f *flag.Flag) { words = append(words, "-"+f.Name+"="+Quote(f.Value.String())) })
	for _, arg := range args {
		words = append(words, Quote(arg))
	}
	return strings.Join(words, " ")
}
