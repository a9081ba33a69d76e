// Package predict is a model of a multicore on which the locks' own accesses
// run: what the caches keep in one writable or several readable copies, which core waits for a line
// and how long it takes to come. It is a discrete-event simulation and no measurement; what it
// leaves out is in docs/predicting.md.
//
// A Machine is a file of parameters. An Engine is such a machine with lines,
// registers in them, and processes:
//
//	e, err := predict.NewEngine(machine, seed)
//	word := e.AddWord(e.AddLine(), 0)
//	e.AddProcess(process, 0) // on the first hardware thread of the machine's order
//	err = e.Run(nil)
//
// A Process is asked for one step after another. When a step has taken
// effect the engine calls Next with the value that the step got, and Next returns the step that
// comes after it. So a process is a small state machine over values that the engine keeps, or
// compiled code in a coroutine that has stopped before an access: Next lets it make the access,
// and run on to the one after. Such a process ignores the value that it is given, and
// gives the engine its registers by AddLine and AddWord as it meets their addresses; its posted
// stores are made by Access.Do when they drain, and it finds them itself until then.
// At any time one process at most is in its Next or Do.
//
// What polls needs no mark: a process whose loads repeat themselves and see
// nothing new sleeps until one of its copies is taken away or written.
package predict
