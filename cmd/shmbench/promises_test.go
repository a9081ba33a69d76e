package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/clitest"
	"shmbench/internal/testkit/sample"
)

// promises has every verb: TestEveryVerbKeepsItsPromises fails for one that is
// not here.
var promises = map[string]clitest.Promise{
	"list":             {Quick: "-alg ^tas/", Twice: "-alg tas"},
	"run":              {Quick: "-alg ^tas/tas$ -procs 1 -count 1 -d 50ms", Long: "-alg ^tas/tas$ -procs 1 -count 1000 -d 100ms", Twice: "-count 1"},
	"selfcheck":        {Quick: "-reruns 1 -alg ^tas/tas$ -count 6 -d 20ms", Varies: true, Long: "-reruns 1000 -count 1000", Twice: "-reruns 3"},
	"compare":          {Quick: "RESULTS RESULTS", Long: "PIPE RESULTS", Twice: "-unit ns/op"},
	"report":           {Quick: "-o PAGE RESULTS", Long: "-o PAGE PIPE", Twice: "-o x.html"},
	"all":              {Quick: "-o PAGE -alg ^tas/tas$ -parts specs", Long: "-o PAGE -alg ^tas/tas$ -d 1m -parts specs,stress", Twice: "-count 3"},
	"stress":           {Quick: "-alg ^tas/tas$ -d 10ms", Long: "-alg ^tas/tas$ -d 1h", Twice: "-seed 7"},
	"check":            {Quick: "-alg ^tas/tas$ -procs 2 -replays 0", Long: "-alg ^bakery/lamport$ -procs 8 -passages 1000", Twice: "-procs 2"},
	"predict":          {Quick: "-alg ^tas/tas$ -procs 1", Long: "-alg ^bakery/lamport$ -procs 64 -passages 1000000 -accesses 1000000000000", Twice: "-seed 7"},
	"predict fit":      {Quick: "POINTS -topology cores=8", Twice: "-order smt-first"},
	"predict validate": {Quick: "POINTS -topology cores=8", Twice: "-order smt-first"},
	"predict measure":  {Quick: "", Twice: "extra"},
	"predict machines": {Quick: "", Twice: "extra"},
	"artifact":         {Quick: "-o ARTIFACT tas/tas -against tas/ttas", Twice: "-against queue/mcs"},
	"artifact verify":  {Quick: "ARTIFACT", Varies: true, Twice: "extra"},
	"new":              {Quick: "FOLDER -kind try", Twice: "-kind try"},
	"play":             {Quick: "tas/tas", Twice: "-procs 2"},
	"lockstep":         {Quick: "peterson/peterson -procs 2", Twice: "-lines 3"},
}

// inTests is the program, as packages clitest and pagetest run it.
var inTests = clitest.Program{Name: "shmbench", Verbs: verbs, Run: shmbench, File: func(t *testing.T, word string) string {
	switch word {
	case "RESULTS":
		return results(t, 100)
	case "ARTIFACT":
		return finishedArtifact(t)
	case "POINTS":
		return pointsFile(t, onePoints...)
	}
	return word
}}

func TestEveryVerbKeepsItsPromises(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel() // most of it is waiting
	inTests.Promises(t, promises)
}

// The second signal ends the program whatever it does.
func TestTheSecondSignalEndsTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	cmd := exec.Command(clitest.Path(t, "hangs"), "hang")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	_, err = io.ReadFull(out, make([]byte, len("hanging\n")))
	require.NoError(t, err)
	go func() { ended <- cmd.Wait() }()
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	select {
	case <-ended:
		t.Fatal("the first signal alone does not end what hangs and has an hour")
	case <-time.After(100 * time.Millisecond):
	}
	for { // one may fall together with the first
		if errors.Is(cmd.Process.Signal(os.Interrupt), os.ErrProcessDone) {
			break
		}
		select {
		case <-ended:
			require.Equal(t, exitUndecided, cmd.ProcessState.ExitCode())
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	<-ended
	require.Equal(t, exitUndecided, cmd.ProcessState.ExitCode())
}

// A verb that does not end within its grace is left behind, with a document.
func TestAVerbThatDoesNotEndIsLeftBehind(t *testing.T) {
	defer func(was time.Duration, all []verb) { grace, verbs = was, all }(grace, verbs)
	grace = time.Millisecond
	verbs = []verb{{Name: "hang", Setup: setupHang}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, diag, status := shmbench(ctx, "hang", "-json")
	require.Equal(t, exitUndecided, status)
	require.JSONEq(t, `{"format": "shmbench hang 1", "complete": false, "results": null}`, out)
	require.Contains(t, diag, "given up")
}
