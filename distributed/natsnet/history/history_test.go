package history

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/resource"
)

// inTurn is the history of n entries of three nodes, one after the other.
func inTurn(n int) []*History {
	var all []*History
	for i := range 3 {
		all = append(all, &History{Processes: []Process{process(i)}})
	}
	for k := range int64(n) {
		h := all[k%3]
		h.Entries = append(h.Entries, Entry{
			PID: int(100 + k%3), Node: distributed.ID(k % 3), Asked: max(1, 10*k-25), Entered: 10*k + 1, Left: 10*k + 9,
			Fence: distributed.Fence{Count: k + 1}, Write: Taken, Value: k,
		})
	}
	return all
}

func process(node int) Process {
	return Process{Run: "00ff", Algorithm: "raymond", Node: distributed.ID(node), Nodes: 3, PID: 100 + node, Clock: "boot"}
}

// at returns the entry of inTurn that is the k-th of all.
func at(all []*History, k int) *Entry { return &all[k%3].Entries[k/3] }

func judge(all []*History, oneClock bool, r *resource.State) Verdict {
	return Judge(Evidence{Histories: all, OneClock: oneClock, Resource: r, Within: time.Minute})
}

func TestJudgeOfOneClock(t *testing.T) {
	const times = "the times are those of a mutex with growing tokens"
	require.Equal(t, Verdict{Entries: 10_000, Holds: true, Decided: true, Detail: times}, judge(inTurn(10_000), true, nil))

	for name, c := range map[string]struct {
		change func(e []*History)
		says   string
	}{
		"two inside":        {func(e []*History) { at(e, 1500).Entered = at(e, 1499).Left - 2 }, "node 0 (process 100) entered with token 0.1501 2ns before node 2 (process 102) left with token 0.1500"},
		"at a part's end":   {func(e []*History) { at(e, 1000).Entered = at(e, 999).Left - 2 }, "node 1 (process 101) entered with token 0.1001 2ns before node 0 (process 100) left with token 0.1000"},
		"one token twice":   {func(e []*History) { at(e, 1500).Fence = at(e, 1499).Fence }, "nodes 0 and 2 both entered with token 0.1500"},
		"a token of before": {func(e []*History) { at(e, 3).Fence.Count, at(e, 1).Fence.Count = 2, 4 }, "node 2 (process 102) entered with token 0.3 after node 1 (process 101) with token 0.4"},
	} {
		all := inTurn(2500)
		c.change(all)
		require.Equal(t, Verdict{Entries: 2500, Decided: true, Detail: c.says}, judge(all, true, nil), name)
	}

	// A process that was killed in the critical section counts as having left it, and the
	// next process of the node asks again.
	all := inTurn(30)
	for _, h := range all {
		for k := range h.Entries {
			h.Entries[k].Write = None
		}
	}
	all[2].Entries[6].Left, all[2].Entries[6].Write = 0, ""
	all[2].Entries = all[2].Entries[:7]
	all[2].Entries = append(all[2].Entries, Entry{PID: 200, Node: 2, Asked: 300, Entered: 301, Left: 302, Fence: distributed.Fence{Count: 40}, Write: None})
	require.Equal(t, Verdict{Entries: 28, Holds: true, Decided: true, Detail: times}, judge(all, true, nil))
	// A thread that waits forever has not entered.
	all[2].Entries = append(all[2].Entries, Entry{PID: 200, Node: 2, Asked: 500})
	require.Equal(t, 28, judge(all, true, nil).Entries)
}

// With one clock, too, a history from which entries are gone is undecided: the values that
// threads read show it, or the end of the history that is missing.
func TestJudgeOfOneClockWithoutEntries(t *testing.T) {
	whole := resource.State{High: distributed.Fence{Count: 300}, Value: 300, Taken: 300}
	silent := func(e []*History) {
		for _, h := range e {
			for k := range h.Entries {
				h.Entries[k].Write, h.Entries[k].Value = None, 0
			}
		}
	}
	for name, c := range map[string]struct {
		change func(e []*History)
		r      *resource.State
		says   string
	}{
		"sound":               {func([]*History) {}, &whole, ""},
		"without resource":    {silent, nil, ""},
		"a passage":           {func(e []*History) { e[1].Entries = slices.Delete(e[1].Entries, 7, 8) }, nil, "the writes of the values 23 to 23 are in no history"},
		"the last passage":    {func(e []*History) { e[2].Entries = e[2].Entries[:99] }, &whole, "the resource holds 300: the writes of the values 300 to 300 are in no history"},
		"a forged overlap":    {func(e []*History) { at(e, 10).Entered -= 5; e[0].Entries = slices.Delete(e[0].Entries, 3, 4) }, nil, "the writes of the values 10 to 10 are in no history"},
		"no end":              {func(e []*History) { e[1].Unended = 1 }, nil, "the history of node 1 has no end: its process was killed or still runs, or the file was cut; only the resource shows whether an entry is missing (-resource)"},
		"no end, no resource": {func(e []*History) { silent(e); e[1].Unended = 1 }, nil, "the history of node 1 has no end: its process was killed or still runs, or the file was cut; only the resource shows whether an entry is missing (-resource)"},
		"no end, a resource":  {func(e []*History) { e[1].Unended = 1 }, &whole, ""},
		"no writes":           {silent, &whole, "node 0 wrote to no resource: nothing shows whether an entry is missing, or whether two were in the critical section (-resource; -one-machine)"},
	} {
		all := inTurn(300)
		c.change(all)
		v := judge(all, true, c.r)
		require.True(t, v.Holds, name)
		if require.Equal(t, c.says == "", v.Decided, name); c.says != "" {
			require.Equal(t, c.says, v.Detail, name)
		}
	}
}

// Where clocks are not compared the judge decides by the tokens and the writes,
// and says what is missing.
func TestJudgeOfSeveralClocks(t *testing.T) {
	const reads = "each thread read from the resource what the one before had written"
	whole := resource.State{High: distributed.Fence{Count: 300}, Value: 300, Taken: 300}
	for name, c := range map[string]struct {
		change  func(e []*History) []*History
		r       *resource.State
		holds   bool
		decided bool
		says    string
	}{
		"sound":               {nil, &whole, true, true, reads},
		"without a resource":  {nil, nil, true, true, reads},
		"another clock":       {func(e []*History) []*History { at(e, 99).Entered, at(e, 99).Left = 5, 6; return e }, nil, false, true, "node 0 entered with token 0.4 after token 0.100"},
		"token twice":         {func(e []*History) []*History { at(e, 101).Fence = at(e, 100).Fence; return e }, nil, false, true, "nodes 1 and 2 both entered with token 0.101"},
		"update lost":         {func(e []*History) []*History { at(e, 101).Value = 100; return e }, nil, false, true, "nodes 1 and 2, with tokens 0.101 and 0.102, both read 100 and wrote 101: an update was lost, 1 of 300 in all"},
		"refused":             {func(e []*History) []*History { at(e, 101).Write = Refused; return e }, nil, false, true, "the resource refused a write of node 2 with token 0.102: it had seen a greater token, so that another permission was given before the node left"},
		"order of tokens":     {func(e []*History) []*History { at(e, 101).Value, at(e, 102).Value = 102, 101; return e }, nil, false, true, "node 2 read 102 with token 0.102 after node 0 read 101 with token 0.103: the tokens do not grow"},
		"resource lost":       {nil, &resource.State{Value: 85, Taken: 120}, false, true, "the resource took 120 writes and lost 35 of them"},
		"resource refused":    {nil, &resource.State{Value: 300, Taken: 300, Refused: 2}, false, true, "the resource refused 2 accesses with an old token"},
		"resource set back":   {nil, &resource.State{Value: 7, Taken: 7}, false, true, "the resource holds 7, although it took 300 from node 2 with token 0.300: it has lost what it took"},
		"history cut":         {func(e []*History) []*History { e[1].Entries = e[1].Entries[:50]; return e }, nil, true, false, "the writes of the values 152 to 152 are in no history"},
		"last entries cut":    {func(e []*History) []*History { e[2].Entries = e[2].Entries[:99]; return e }, &whole, true, false, "the resource holds 300: the writes of the values 300 to 300 are in no history"},
		"node missing":        {func(e []*History) []*History { return e[:2] }, &whole, true, false, "the histories of these nodes are missing: 2"},
		"no resource at all":  {func(e []*History) []*History { at(e, 7).Write = None; return e }, nil, true, false, "node 1 wrote to no resource: nothing shows whether an entry is missing, or whether two were in the critical section (-resource; -one-machine)"},
		"nobody entered":      {func(e []*History) []*History { return inTurn(0) }, nil, true, false, "no thread has entered: there is nothing to judge"},
		"no history":          {func(e []*History) []*History { return nil }, nil, true, false, "no thread has entered: there is nothing to judge"},
		"killed, and wrote":   {func(e []*History) []*History { at(e, 298).Left, at(e, 298).Write = 0, ""; return e }, &whole, true, true, reads},
		"killed, and not":     {func(e []*History) []*History { killed(e); return e }, &resource.State{Value: 299, Taken: 299}, true, true, reads},
		"killed, who knows":   {func(e []*History) []*History { killed(e); return e }, nil, true, false, "node 1 had not left with token 0.299 when its history ended, and may have overwritten what another one wrote: only the resource shows it (-resource)"},
		"killed, wrote later": {func(e []*History) []*History { killed(e); return e }, &resource.State{Value: 299, Taken: 300}, false, true, "the resource took 300 writes and lost 1 of them"},
	} {
		all := inTurn(300)
		if c.change != nil {
			all = c.change(all)
		}
		v := judge(all, false, c.r)
		require.Equal(t, c.says, v.Detail, name)
		require.Equal(t, []bool{c.holds, c.decided}, []bool{v.Holds, v.Decided}, name)
	}
}

// killed makes the last but one entry that of a process that was killed before it
// wrote.
func killed(all []*History) {
	e := at(all, 298)
	e.Left, e.Write, e.Value = 0, "", 0
	at(all, 299).Value = 298
}

// written is what a Writer writes of three threads.
func written(t *testing.T) (text string, entries []Entry) {
	var b bytes.Buffer
	w, err := NewWriter(&b, process(2))
	require.NoError(t, err)
	e := Entry{PID: 102, Node: 2, Thread: 1, Asked: 5}
	require.NoError(t, w.Ask(&e))
	e.Entered, e.Fence, e.Local = 7, distributed.Fence{Epoch: 3, Count: 9}, 4
	require.NoError(t, w.Enter(&e))
	other := Entry{PID: 102, Node: 2, Asked: 6}
	require.NoError(t, w.Ask(&other))
	e.Left, e.Write, e.Value = 8, Refused, 17
	require.NoError(t, w.Leave(&e))
	return b.String(), []Entry{e, other}
}

// A history has an end if its process has ended it, and takes nothing more.
func TestEnd(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, process(2))
	require.NoError(t, err)
	require.NoError(t, w.Ask(&Entry{Asked: 5}))
	require.NoError(t, w.End())
	require.NoError(t, w.End())
	require.ErrorIs(t, w.Ask(&Entry{Asked: 6}), os.ErrClosed)
	text := b.String()
	for cut, unended := range map[string]int{text: 0, text + text: 0, text[:strings.Index(text, "end")]: 1, text[:strings.Index(text, "end")] + text: 1, text[:strings.Index(text, "ask")]: 1} {
		h, err := Read(strings.NewReader(cut))
		require.NoError(t, err)
		require.Equal(t, unended, h.Unended, cut)
	}
}

// Every written line is read, except a line that a kill has cut short.
func TestWriteAndRead(t *testing.T) {
	text, entries := written(t)
	for _, cut := range []string{"", "ask", "ask 2 17", "leave 1 5 7 3 9 4 8 refused 1"} {
		h, err := Read(strings.NewReader(text + cut))
		require.NoError(t, err)
		require.Equal(t, &History{Processes: []Process{process(2)}, Entries: entries, Unended: 1}, h)
	}
	require.LessOrEqual(t, Now(), Now())
	require.Equal(t, Clock(), Clock())
}

// A history that no node writes is refused with the line that is wrong.
func TestRefused(t *testing.T) {
	text, _ := written(t)
	begin := (&Process{Run: "00ff", Algorithm: "raymond", Node: 2, Nodes: 3, PID: 102, Clock: "boot"}).line()
	for edited, says := range map[string]string{
		"":                                  "it is empty: a history begins with a line \"begin\"",
		"what is this?\n":                   `line 1, "what is this?": a history begins with a line "begin"`,
		"ask 0 5 .\n":                       `line 1, "ask 0 5 .": a history begins with a line "begin"`,
		strings.Replace(begin, "3", "1", 1): "the history has form 1, and this program reads form 3",
		strings.Replace(begin, "2 3 102", "2 2 102", 1):                                                      "there is no node 2 of 2 with process 102",
		begin + "ask 0 5 .\nask 0 6 .\n":                                                                     "thread 0 asks before it has left",
		begin + "ask 0 05 .\n":                                                                               "it is not in the form that a node writes",
		begin + "ask 0 -5 .\n":                                                                               "a number is too small",
		begin + "ask 0 9223372036854775808 .":                                                                "", // cut off
		begin + "ask 0 9223372036854775808 .\n":                                                              "it is not in the form that a node writes",
		begin + "enter 0 5 6 0 1 0 .\n":                                                                      "thread 0 enters and has not asked",
		begin + "ask 0 5 .\nenter 0 4 6 0 1 0 .\n":                                                           "thread 0 asks at 4 and enters at 6, after it asked at 5",
		begin + "ask 0 5 .\nenter 0 5 4 0 1 0 .\n":                                                           "thread 0 asks at 5 and enters at 4, after it asked at 5",
		begin + "ask 0 5 .\nenter 0 5 6 0 0 0 .\n":                                                           "a number is too small",
		begin + "ask 0 5 .\nleave 0 5 6 0 1 0 7 none 0 .\n":                                                  "thread 0 leaves and has not entered",
		begin + "ask 0 5 .\nenter 0 5 6 0 1 0 .\nleave 0 5 6 0 1 0 5 none 0 .\n":                             "thread 0 leaves at 5, before it entered at 6",
		begin + "ask 0 5 .\nenter 0 5 6 0 1 0 .\nleave 0 5 6 0 2 0 7 none 0 .\n":                             "thread 0 leaves another entry than the one that it entered",
		begin + "ask 0 5 .\nenter 0 5 6 0 1 0 .\nleave 0 5 6 0 1 0 7 perhaps 0 .\n":                          `the write is "perhaps": none, taken or refused`,
		begin + "ask 0 5 .\nenter 0 5 6 0 1 0 .\nleave 0 5 6 0 1 0 7 none 0 .\nask 0 6 .\n":                  "thread 0 asks at 6, before it left at 7",
		begin + "ask 0 5 .\nend 2 .\n":                                                                       "the process wrote 2 lines before this one, and the file has 1 of them: it was edited",
		begin + "ask 0 5 .\nend 2 .\n" + begin:                                                               "the process wrote 2 lines before this one, and the file has 1 of them: it was edited",
		begin + "ask 0 5 .\nend 01 .\n":                                                                      "it is not in the form that a node writes",
		begin + "end 0 .\nask 0 5 .\n":                                                                       "the process has ended its history before",
		begin + "ask 0 5 .\nask 0 6 .\n" + begin:                                                             "thread 0 asks before it has left",
		begin + "ask 0 5 .\nend 1 .\n":                                                                       "",
		begin + "sleep 0 5 .\n":                                                                              "a line is begin, ask, enter, leave or end",
		begin + strings.Replace(begin, "00ff", "00fe", 1):                                                    "the file holds histories of different runs or nodes: before, that of node 2 of 3, raymond, run 00ff",
		begin + "ask 0 5 .\n" + strings.Repeat("x", 10_000) + "\n":                                           `line 3 has more than 512 bytes; it begins with "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"`,
		begin + "ask 0 5 .\nen\n" + "ask 1 5 .\n":                                                            `line 3, "en": a line is begin, ask, enter, leave or end`,
		begin + "ask 0 5 .\nask 1 " + begin:                                                                  "it is not in the form that a node writes",
		begin + "ask 0 5 .\nask 1\n" + begin + "ask 0 4 .\n":                                                 "", // another process
		text[:strings.Index(text, "enter")] + text[strings.Index(text, "leave"):]:                            "thread 1 leaves and has not entered",
		strings.ReplaceAll(text, "\n", "\r\n"):                                                               "it is not in the form that a node writes",
		begin + "ask 0 5 .\nenter 0 5 6 0 1 0 .\nleave 0 5 6 0 1 0 7 " + strings.Repeat("y", 300) + " 0 .\n": "the write is \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…\": none, taken or refused",
	} {
		_, err := Read(strings.NewReader(edited))
		if says == "" {
			require.NoError(t, err, edited)
			continue
		}
		require.ErrorContains(t, err, says, edited)
		require.Less(t, len(err.Error()), 300)
	}
}

// The history of a process follows that of the process before it; anything else in
// the file stays as it is.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "node2.history")
	run := func(p Process, cut string) {
		f, err := Create(path, p)
		require.NoError(t, err)
		require.NoError(t, f.Ask(&Entry{Thread: 0, Asked: 5}))
		_, err = Create(path, p)
		require.ErrorContains(t, err, "another process writes its history there: name another file")
		_, err = f.f.WriteString(cut)
		require.NoError(t, err)
		require.NoError(t, f.f.Close()) // as a kill does
	}
	run(process(2), "enter 0 5 6 0")
	again := process(2)
	again.PID = 200
	run(again, "")
	h, err := ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, []Process{process(2), again}, h.Processes)
	require.Equal(t, []Entry{{PID: 102, Node: 2, Asked: 5}, {PID: 200, Node: 2, Asked: 5}}, h.Entries)

	before, err := os.ReadFile(path)
	require.NoError(t, err)
	other := process(2)
	other.Run = "11ee"
	_, err = Create(path, other)
	require.ErrorContains(t, err, "it holds the history of node 2 of 3 of another run (raymond, run 00ff): name another file")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)

	thesis := filepath.Join(dir, "thesis.tex")
	require.NoError(t, os.WriteFile(thesis, []byte("\\begin{document}\n"), 0o600))
	_, err = Create(thesis, process(2))
	require.ErrorContains(t, err, "it holds something else than a history, and is not overwritten")
}

// FuzzRead: a history is refused, or it is what Writers write of it.
func FuzzRead(f *testing.F) {
	begin := (&Process{Run: "00ff", Algorithm: "raymond", Node: 2, Nodes: 3, PID: 102, Clock: "-"}).line()
	f.Add(begin + "ask 0 5 .\nenter 0 5 6 0 1 0 .\nleave 0 5 6 0 1 0 7 taken 0 .\nask 0 8 .\n")
	f.Add(begin + "ask 0 5 .\nas\n" + begin + "ask 1 5 .\nenter 1 6 7 1 1 0 .\n")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := Read(strings.NewReader(text))
		if err != nil {
			require.Less(t, len(err.Error()), 2*maxLine)
			return
		}
		require.NotEmpty(t, h.Processes)
		for _, e := range h.Entries {
			if e.Left != 0 {
				require.Contains(t, text, e.leave())
			} else if e.Entered != 0 {
				require.Contains(t, text, e.enter())
			} else {
				require.Contains(t, text, e.ask())
			}
		}
		for _, oneClock := range []bool{false, true} { // no history makes the judge panic or contradict itself
			v := judge([]*History{h}, oneClock, nil)
			require.True(t, v.Holds || v.Decided)
			require.NotEmpty(t, v.Detail)
		}
	})
}
