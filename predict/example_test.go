package predict_test

import (
	"fmt"
	"log"

	"shmbench/predict"
)

// adder is a process that adds 1 to a word a number of times.
type adder struct {
	word int32
	left int
}

func (a *adder) Next(uint64) predict.Access {
	if a.left == 0 {
		return predict.Access{Op: predict.End}
	}
	a.left--
	return predict.Access{Op: predict.Add, Word: a.word, Arg: 1}
}

// Two cores of a modeled machine add to one word. Each addition after the first waits until
// the other core has handed the cache line over.
func ExampleEngine() {
	machine, err := predict.Find("graviton3")
	if err != nil {
		log.Fatal(err)
	}
	engine, err := predict.NewEngine(machine, 1)
	if err != nil {
		log.Fatal(err)
	}
	word := engine.AddWord(engine.AddLine(), 0)
	engine.AddProcess(&adder{word, 3}, 0)
	engine.AddProcess(&adder{word, 3}, 0)
	if err := engine.Run(nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the word is", engine.Value(word), "after", engine.Accesses, "accesses")
	// Output: the word is 6 after 6 accesses
}
