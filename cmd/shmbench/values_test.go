package main

import "testing"

// taken are the suspect values that a flag takes all the same: nothing is what a
// zero says there. DIR is a folder that is there.
var taken = map[string][]string{
	"run":      {"-cs=0", "-ncs=0", "-cs-lines=0", "-readers=0"},
	"check":    {"-passages=0", "-replays=0"},
	"artifact": {"-o=DIR/folder"},
	"predict":  {"-cs=0", "-ncs=0", "-cs-lines=0", "-rate=0", "-seed=0"},
}

// least has flags and arguments beside which a verb takes each of its flags, where the
// promise of the verb has others.
var least = map[string]string{
	"predict": "-alg=^tas/tas$ -procs=1",
	"check":   "",
	"all":     "-o PAGE -alg=^tas/tas$",
}

func TestWrongValuesAreRefused(t *testing.T) { inTests.WrongValues(t, promises, taken, least) }
