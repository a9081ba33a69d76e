// Package predict is a model of a multicore machine on which the locks' own accesses run. The
// model has the cache lines, each with one writable copy or several readable ones, and the
// time that a core waits for a line. It is a discrete-event simulation and no measurement.
// docs/predicting.md says what it leaves out.
//
// A Machine is a set of parameters, read from a file. An Engine is a machine with lines,
// registers in the lines, and processes:
//
//	e, err := predict.NewEngine(machine, seed)
//	word := e.AddWord(e.AddLine(), 0)
//	e.AddProcess(process, 0) // on the first hardware thread of the machine's order
//	err = e.Run(nil)
//
// The engine asks a Process for one step after another. When a step has taken effect, the
// engine calls Next with the value that the step returned, and Next returns the following
// step. A process is one of two kinds. It may be a small state machine over registers of the
// engine. Or it may be compiled code in a coroutine that stops before each access: Next lets
// it make the access and run to the following one. A process of the second kind ignores the
// value that it gets. It gives the engine its registers by AddLine and AddWord when it first
// meets their addresses. Access.Do makes its posted stores when they drain, and until then the
// process itself looks them up. At any time at most one process is in Next or Do.
//
// A polling loop needs no mark. If the loads of a process repeat and return nothing new, the
// process sleeps until one of its copies is invalidated or written.
package predict
