package bounds

import (
	"fmt"
	"strings"
)

const introduction = `# Published bounds beside ours

    shmbench check queue/mcs -witness rmr-cc

Publications state bounds for every n. shmbench confirms the claims of a specification for each n that it explores. This page has both. Most published bounds
here come from restatements of the publications, and a few from their abstracts, so the pages are those of the whole publication and not of a theorem.

"agrees" means that ours is the same. A formula agrees with a published growth if it grows no faster. Where the specification has no formula for
every n, ours are the values that were found for a few n, such as "12, 20 for n=2,3". References with coherent caches are those with write-back caches.
` + "`check -witness`" + ` shows the execution behind a bound.

The lower bounds of a lock are [below](#lower-bounds).

| lock | quantity | published | ours | comparison | publication |
|---|---|---|---|---|---|
`

const lowerBounds = `
## Lower bounds

| bound | locks | publication |
|---|---|---|
| n registers | deadlock-free locks that only read and write | James E. Burns and Nancy A. Lynch, "Bounds on Shared Memory for Mutual Exclusion", Information and Computation 107(2), 1993, p. 171-184 |
| Ω(log n) remote memory references of a passage, in both models | locks that read, write and use comparison primitives such as test-and-set and compare-and-swap | Hagit Attiya, Danny Hendler and Philipp Woelfel, "Tight RMR Lower Bounds for Mutual Exclusion and Other Problems", STOC 2008, p. 217-226 |
| Ω(log n / log log n) remote memory references, the earlier bound for the same locks | the same | James H. Anderson and Yong-Jik Kim, "An Improved Lower Bound for the Time Complexity of Mutual Exclusion", Distributed Computing 15(4), 2002, p. 221-253 |

` + "`check`" + ` prints the first bound beside the registers of a lock, and the second beside its remote memory references. Locks with swap or fetch-and-add have no such
bound: MCS and Anderson's lock make a constant number of references. Yang and Anderson's tree attains the second bound. The one-bit lock attains the first one.
`

// Page returns docs/bounds.md.
func Page(all []Compared) string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, c := range all {
		comparison := "agrees"
		if c.Explained != "" {
			comparison = "differs: " + c.Explained
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", c.Lock, c.Of, c.Published, c.Ours, comparison, c.In)
	}
	b.WriteString(lowerBounds)
	return b.String()
}
