package check_test

var numaBroken = []brokenInvariant{
	{"numa/hbo", "word", "mutants/hbo-never-freed", 2, 2, "word = 1, processes in their critical sections: 0"},
}
