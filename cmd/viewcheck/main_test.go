package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/shm"
)

// certificateOf returns the certificate of a lock of the catalog, as check writes it.
func certificateOf(t *testing.T, name string) []byte {
	t.Helper()
	all := catalog.All()
	a := all[slices.IndexFunc(all, func(a shm.Algorithm) bool { return a.Name == name })]
	src, err := check.OpenFor(t.Context(), catalog.Path, []shm.Algorithm{a})
	require.NoError(t, err)
	x, err := src.EveryN(t.Context(), "All", a)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, x.WriteCertificate(&out))
	return out.Bytes()
}

// verified runs the program on a file with this content.
func verified(t *testing.T, content []byte) (code int, says string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "certificate")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	var out, diagnostics bytes.Buffer
	code = run([]string{file}, &out, &diagnostics)
	return code, out.String() + diagnostics.String()
}

// TestVerify: a right certificate is accepted, and refused with a change in its views or rules.
func TestVerify(t *testing.T) {
	for _, name := range []string{"burns/onebit", "cas/testfirst"} { // cells of processes, and a shared register
		verifies(t, name)
	}
}

func verifies(t *testing.T, name string) {
	right := certificateOf(t, name)
	code, says := verified(t, right)
	require.Zero(t, code, says)
	require.Contains(t, says, name+": the template has mutual exclusion for every n >= 2, by ")
	// changed verifies the certificate after a change.
	changed := func(change func(c *certificate)) (int, string) {
		var c certificate
		require.NoError(t, json.Unmarshal(right, &c))
		change(&c)
		content, err := json.Marshal(c)
		require.NoError(t, err)
		return verified(t, content)
	}
	code, says = changed(func(*certificate) {})
	require.Zero(t, code, says)

	var c certificate
	require.NoError(t, json.Unmarshal(right, &c))
	for i := range c.Levels[0].Views {
		code, says := changed(func(c *certificate) { c.Levels[0].Views = slices.Delete(c.Levels[0].Views, i, i+1) })
		require.Equal(t, 1, code, "without view %d: %s", i, says)
	}
	inside := slices.IndexFunc(c.Template.Locations, func(l location) bool { return l.Critical })
	code, says = changed(func(c *certificate) {
		bad := slices.Clone(c.Levels[0].Views[0])
		t := c.Template
		bad[len(t.Shared)], bad[len(t.Shared)+2+len(t.Own)] = inside, inside // the locations
		c.Levels[0].Views = append(c.Levels[0].Views, bad)
	})
	require.Equal(t, 1, code)
	require.Contains(t, says, "two processes are in the critical section")

	used, all := 0, 0
	for i, l := range c.Template.Locations {
		for k := range l.Rules {
			all++
			code, says := changed(func(c *certificate) {
				c.Template.Locations[i].Rules = slices.Delete(c.Template.Locations[i].Rules, k, k+1)
			})
			if code == 0 {
				continue // no process reads that value there
			}
			used++
			require.Equal(t, 1, code)
			require.Contains(t, says, "has no rule")
			code, says = changed(func(c *certificate) { c.Template.Locations[i].Rules[k].Goto = nil })
			require.Equal(t, 1, code)
			require.Contains(t, says, "leads nowhere")
			code, says = changed(func(c *certificate) {
				r := &c.Template.Locations[i].Rules[k]
				to := target{inside, cursor{Kind: "none"}}
				if r.Goto[0].Location == inside {
					to.Location = 1
				}
				r.Goto = slices.Insert(r.Goto, 0, to)
			})
			require.Equal(t, 1, code, "location %d, rule %d leads elsewhere: %s", i, k, says)
		}
	}
	require.Greater(t, used, all/2)
}

// TestMalformed: what is no certificate is an error and not a verdict.
func TestMalformed(t *testing.T) {
	right := string(certificateOf(t, "tas/tas"))
	for _, c := range []struct{ from, to, says string }{
		{"{", "[", "not a certificate"},
		{`"shmbench views 1"`, `"shmbench views 0"`, `the format is "shmbench views 0"`},
		{`"location":1`, `"location":9`, "there is no location 9"},
		{`"write":0`, `"write":99`, "a rule writes 99"},
		{`"size":2`, `"size":3`, "want 2"},
		{`"at":"shared"`, `"at":"here"`, `access at "here"`},
		{`"initial":0`, `"initial":300`, "the initial value is 300"},
		{`"views":[[0,`, `"views":[[`, "the length is"},
		{`"views":[[0,`, `"views":[[300,`, "there is no value 300"},
		{`"kind":"none"`, `"kind":"some"`, "a cursor {Kind:some"},
		{`"read":1`, `"read":0`, "two rules for the value 0"},
		{`"read":1`, `"read":2`, "a rule reads 2"},
		{`"read":1`, `"read":-1`, "a rule reads -1"},
		{`"read":1`, `"read":-4`, "a rule reads -4"},
		{`"write":0`, `"write":2`, "a rule writes 2"},
		{`"initial":0`, `"initial":2`, "the initial value is 2"},
		{`"critical":true,`, "", "no location is critical"},
		{`"compared":[2,3,4,5,6],`, "", "compared has no numbers of processes"},
		{`"compared":[2,3,4,5,6]`, `"compared":[]`, "compared has no numbers of processes"},
		{`"compared":[2,3,4,5,6]`, `"compared":[-2]`, "the compared numbers of processes are [-2]"},
		{`"compared":[2,3,4,5,6]`, `"compared":[3,2]`, "the compared numbers of processes are [3 2]"},
	} {
		require.Contains(t, right, c.from)
		code, says := verified(t, []byte(strings.ReplaceAll(right, c.from, c.to)))
		require.Equal(t, 2, code, "%s => %s", c.from, c.to)
		require.Contains(t, says, c.says)
		require.Equal(t, 1, strings.Count(says, "\n"), says)
	}
	for _, args := range [][]string{nil, {"-h"}, {"a", "b"}, {"nosuchfile"}} {
		var out, diagnostics bytes.Buffer
		require.Equal(t, 2, run(args, &out, &diagnostics), args)
		require.Empty(t, out.String())
	}
}
