package main

import (
	"fmt"
	"io"

	"shmbench/internal/cli/words"
	"shmbench/report"
)

// recommendWidth is how many characters a line of writeRecommendations has at most.
const recommendWidth = 120

// writeRecommendations writes which lock to use on each machine, the answer first.
func writeRecommendations(w io.Writer, all []report.Recommendation) {
	for i, rec := range all {
		machine := ""
		if len(all) > 1 {
			machine = rec.Machine + ": "
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		for k, sentence := range append(rec.Sentences, "Conditions: "+rec.Conditions+".") {
			if k == 0 {
				sentence = machine + sentence
			}
			for _, line := range words.Fold(sentence, recommendWidth) {
				fmt.Fprintln(w, line)
			}
		}
	}
}
