package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"time"
)

// What several verbs take is declared here, so that it means the same on all.

func algFlag(fs *flag.FlagSet, alg *string) {
	fs.StringVar(alg, "alg", "", "only the algorithms whose names match this `regexp` (default all)")
}

func jsonFlag(fs *flag.FlagSet, asJSON *bool) {
	fs.BoolVar(asJSON, "json", false, "print one JSON document")
}

func seedFlag(fs *flag.FlagSet, seed *uint64) {
	fs.Uint64Var(seed, "seed", 1, "seed of all randomness")
}

// jsonVersion is the version of what verbs print with -json.
const jsonVersion = 1

// writeJSON writes the one document that -json prints. complete: all that was
// asked for is in it.
func writeJSON(w io.Writer, verb string, complete bool, results any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format   string `json:"format"`
		Complete bool   `json:"complete"`
		Results  any    `json:"results"`
	}{fmt.Sprintf("shmbench %s %d", verb, jsonVersion), complete, results})
}

var (
	badValue = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]*): (?:parse error|value out of range|strconv.*)$`)
	unknown  = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
)

// plain says what the flag package says in words that name what would be
// right: the new name of a flag, or the form of its value.
func plain(err error, fs *flag.FlagSet, renamed map[string]string) error {
	if m := unknown.FindStringSubmatch(err.Error()); m != nil {
		if now := renamed[m[1]]; now != "" {
			return fmt.Errorf("-%s is now called %s", m[1], now)
		}
		return fmt.Errorf("no flag -%s; shmbench %s -h lists the flags", m[1], fs.Name())
	}
	m := badValue.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	want := "a word"
	switch fs.Lookup(m[2]).Value.(flag.Getter).Get().(type) {
	case time.Duration:
		want = "a time with its unit, such as 100ns or 5s"
	case int, int64:
		want = "a whole number"
	case uint, uint64:
		want = "a whole number from 0 up"
	case float64:
		want = "a number"
	case bool:
		want = "true or false"
	}
	return errors.New("-" + m[2] + " " + m[1] + ": write " + want)
}
