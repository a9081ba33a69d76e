package batch

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
	"shmbench/distributed/token"
)

// Mutants lists batch algorithms with one flaw each.
var Mutants = []distributed.Algorithm{
	titled(Algorithm(&token.NaimiTrehel, "batch-endless", Endless), "batches that anybody may join while they last"),
	tamper.Mutant(Algorithm(&token.NaimiTrehel, "", 1), "batch-no-re-ask", "a node that does not ask again for threads that wait behind a batch", tamper.Hooks[*node]{
		Release: func(n *node, _ distributed.Thread, out *distributed.Out) {
			n.queue.Remove()
			n.left = 0
			n.act(out, func(p distributed.Node) { p.Release(0, out) })
		},
	}),
}

func titled(a distributed.Algorithm, title string) distributed.Algorithm {
	a.Title = title
	return a
}
