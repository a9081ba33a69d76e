package check_test

// attiyaWelchBroken has a broken form for the lemma of Attiya and Welch's lock.
var attiyaWelchBroken = []brokenInvariant{
	{"peterson/attiyawelch", "want", "NewPriority", 2, 8, "process 1 has want[1] = true in its waiting section"},
}
