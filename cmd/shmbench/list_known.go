package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"shmbench/catalog/knownbroken"
	"shmbench/internal/build/sources"
	"shmbench/shm"
)

// statesFile has the numbers of states that were found, by lock and memory.
const statesFile = "results/states.tsv"

// knownOf returns what is known of a lock beside its claims: how far it was explored, and
// which published errors it fixes.
func knownOf(a shm.Algorithm) []string {
	known := statesOf(cmp.Or(a.VariantOf, a.Name))
	for _, broken := range knownbroken.All() {
		if broken.Fixed != "" && broken.Fixed == a.Name {
			known = append(known, fmt.Sprintf("published error %s (%s): %s", strings.TrimPrefix(broken.Name, "knownbroken/"), broken.Memory, broken.Verdict))
		}
	}
	return known
}

// statesOf says for each memory how far a lock was explored, from the file of states.
func statesOf(lock string) (said []string) {
	text, err := fs.ReadFile(sources.Files(), statesFile)
	if err != nil {
		return nil // a checkout of an earlier commit
	}
	states := csv.NewReader(strings.NewReader(string(text)))
	states.Comma, states.Comment = '\t', '#'
	rows, err := states.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	at := slices.IndexFunc(rows, func(row []string) bool { return row[0] == lock })
	if at < 0 {
		return nil
	}
	byMemory, memories := map[string][]string{}, []string{}
	for i, head := range rows[0][2:] {
		memory, n, _ := strings.Cut(head, " ")
		number := rows[at][2+i]
		if number == "" {
			continue
		}
		if !slices.Contains(memories, memory) {
			memories = append(memories, memory)
		}
		if number == "-" {
			number = "too many"
		}
		byMemory[memory] = append(byMemory[memory], fmt.Sprintf("%s states for n = %s", number, n))
	}
	for _, memory := range memories {
		text := fmt.Sprintf("checked on %s registers: %s", memory, strings.Join(byMemory[memory], ", "))
		if passages := rows[at][1]; passages != "" {
			text += fmt.Sprintf("; each process makes %s passages", passages)
		}
		said = append(said, text)
	}
	return said
}
