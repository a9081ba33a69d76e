package study

// The claims of section 4.2, in its order. "Light" and "high" have no number in
// the paper: see [ends].
var claims = []claim{
	{
		says: "with one thread a node the first version behaves like Raymond's algorithm (messages and waiting within a tenth)", threads: []int{1},
		test: func(g *view) verdict {
			return both(alike(messages, g.at(g.v1), g.at("raymond")), alike(waits, g.at(g.v1), g.at("raymond")))
		},
	},
	{
		says: "the second version needs fewer messages than the first", scope: lightLoad,
		test: func(g *view) verdict { return less(messages, g.at(g.v2), g.at(g.v1)) },
	},
	{
		says: "Mueller's needs the fewest messages of the three", scope: lightLoad,
		test: func(g *view) verdict {
			return both(less(messages, g.at("mueller"), g.at(g.v1)), less(messages, g.at("mueller"), g.at(g.v2)))
		},
	},
	{
		says: "the second version waits less than the first",
		test: func(g *view) verdict { return less(waits, g.at(g.v2), g.at(g.v1)) },
	},
	{
		says: "with one thread a node Mueller's waits less than both versions", threads: []int{1},
		test: func(g *view) verdict {
			return both(less(waits, g.at("mueller"), g.at(g.v1)), less(waits, g.at("mueller"), g.at(g.v2)))
		},
	},
	{
		says: "both versions need almost the same number of messages (within a tenth)", scope: highLoad,
		test: func(g *view) verdict { return alike(messages, g.at(g.v2), g.at(g.v1)) },
	},
	{
		says: "both versions need fewer messages than at the lightest load", scope: highLoad,
		test: func(g *view) verdict {
			return both(less(messages, g.at(g.v1), g.place(g.v1, g.threads, g.lightest)),
				less(messages, g.at(g.v2), g.place(g.v2, g.threads, g.lightest)))
		},
	},
	{
		says: "both versions need fewer messages than Mueller's", scope: highLoad,
		test: func(g *view) verdict {
			return both(less(messages, g.at(g.v1), g.at("mueller")), less(messages, g.at(g.v2), g.at("mueller")))
		},
	},
	{
		says: "each version waits almost as long as with one thread a node (within a tenth)", threads: []int{5, 10},
		test: func(g *view) verdict {
			return both(alike(waits, g.at(g.v1), g.place(g.v1, 1, g.rate)), alike(waits, g.at(g.v2), g.place(g.v2, 1, g.rate)))
		},
	},
	{
		says: "the versions wait almost equally long (within a tenth): the other way to read the sentence before", threads: []int{5, 10},
		test: func(g *view) verdict { return alike(waits, g.at(g.v2), g.at(g.v1)) },
	},
	{
		says: "the more threads a node, the fewer messages both versions need", scope: highLoad, threads: []int{5, 10},
		test: func(g *view) verdict {
			return both(less(messages, g.at(g.v1), g.place(g.v1, g.fewer, g.rate)), less(messages, g.at(g.v2), g.place(g.v2, g.fewer, g.rate)))
		},
	},
	{
		says: "most entries cost no message", scope: highLoad, threads: []int{5, 10},
		test: func(g *view) verdict {
			return both(above(noMessage, g.at(g.v1), 0.5), above(noMessage, g.at(g.v2), 0.5))
		},
	},
	{
		says: "Mueller's needs as many messages as with one thread a node (within a tenth)", threads: []int{5, 10},
		test: func(g *view) verdict { return alike(messages, g.at("mueller"), g.place("mueller", 1, g.rate)) },
	},
	{
		says: "Mueller's waiting grows with the load", scope: highLoad,
		test: func(g *view) verdict {
			return less(waits, g.place("mueller", g.threads, g.lightest), g.at("mueller"))
		},
	},
	{
		says: "the more threads a node, the more Mueller's waiting has grown since the lightest load", scope: highLoad, threads: []int{5, 10},
		test: func(g *view) verdict {
			few, many := growth(g, g.fewer), growth(g, g.threads)
			if few == nil || many == nil {
				return open
			}
			return below(difference(few, many), 0)
		},
	},
	{
		says: "the second version is better than the first in messages and in waiting",
		test: func(g *view) verdict {
			return both(less(messages, g.at(g.v2), g.at(g.v1)), less(waits, g.at(g.v2), g.at(g.v1)))
		},
	},
	{
		says: "Mueller's is better than both versions in messages and in waiting", scope: lightLoad,
		test: func(g *view) verdict {
			return both(less(messages, g.at("mueller"), g.at(g.v1)), less(messages, g.at("mueller"), g.at(g.v2)),
				less(waits, g.at("mueller"), g.at(g.v1)), less(waits, g.at("mueller"), g.at(g.v2)))
		},
	},
	{
		says: "both versions are better than Mueller's in messages and in waiting", scope: highLoad,
		test: func(g *view) verdict {
			return both(less(messages, g.at(g.v1), g.at("mueller")), less(messages, g.at(g.v2), g.at("mueller")),
				less(waits, g.at(g.v1), g.at("mueller")), less(waits, g.at(g.v2), g.at("mueller")))
		},
	},
	{
		says: "the more threads a node, the more messages both versions save over Mueller's", scope: highLoad, threads: []int{5, 10},
		test: func(g *view) verdict { return both(saves(g, g.v1), saves(g, g.v2)) },
	},
}

// growth returns how much longer Mueller's waits at the view's rate than at the
// lightest, by replication.
func growth(g *view, threads int) []float64 {
	light, here := g.place("mueller", threads, g.lightest), g.place("mueller", threads, g.rate)
	if light == nil || here == nil {
		return nil
	}
	return minus(here.waits, light.waits)
}

// saves claims that version saves more messages over Mueller's than with the
// next lower number of threads.
func saves(g *view, version string) verdict {
	here, mueller := g.at(version), g.at("mueller")
	before, mueller2 := g.place(version, g.fewer, g.rate), g.place("mueller", g.fewer, g.rate)
	if here == nil || mueller == nil || before == nil || mueller2 == nil {
		return open
	}
	return below(difference(minus(mueller2.messages, before.messages), minus(mueller.messages, here.messages)), 0)
}
