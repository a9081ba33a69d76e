package compiled

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"shmbench/internal/machine/topo"
	"shmbench/predict"
)

// Site is what the accesses of one line of source to the registers of one name cost
// in a passage.
type Site struct {
	Source   string // file and line, "section" for the critical section's own check
	Register string // its name, with [.] for an index; empty where it is not known
	Write    bool   // the line is fetched to be written
	// Transfers is how often a passage fetched the line, by distance, and NS how
	// long the fetches took, queueing included, all processes together.
	Transfers map[string]float64
	NS        float64
}

// sites counts transfers.
type sites struct {
	d     *driver
	names names
	seen  map[siteKey]*siteCount
}

type siteKey struct {
	at       site
	register string
	write    bool
}

type siteCount struct {
	moves map[int]uint64
	time  predict.Time
}

func newSites(d *driver) *sites {
	return &sites{d: d, names: namesOf(d.lock), seen: map[siteKey]*siteCount{}}
}

func (s *sites) reset() { clear(s.seen) }

// moved notes a transfer. What a process posted is fetched for the oldest of its
// stores, anything else for the access that it is at.
func (s *sites) moved(t predict.Transfer) {
	p := s.d.procs[t.Process]
	key := siteKey{at: p.site, register: s.register(t.Word), write: t.Write}
	switch {
	case key.register == "section": // whose stores the engine keeps: the process may be further on
		key.at = site{}
	case len(p.posted) > 0 && t.Write && s.d.words[uintptr(p.posted[0].at)] == t.Word:
		key.at = p.posted[0].site
	}
	c := s.seen[key]
	if c == nil {
		c = &siteCount{moves: map[int]uint64{}}
		s.seen[key] = c
	}
	c.moves[t.Distance]++
	c.time += t.Queued + t.Latency
}

// register is the name of a word.
func (s *sites) register(word int32) string {
	if word == s.d.section || slices.Contains(s.d.lines, word) {
		return "section"
	}
	return s.names[s.d.at[word]]
}

func (s *sites) list(levels topo.Levels, passages float64) []Site {
	var all []Site
	for key, c := range s.seen {
		x := Site{Source: "section", Register: key.register, Write: key.write, Transfers: map[string]float64{}, NS: c.time.NS() / passages}
		if key.at != (site{}) {
			x.Source = shortened(key.at)
		}
		for distance, n := range c.moves {
			name := "memory"
			if distance >= 0 {
				name = levels[distance].Name
			}
			x.Transfers[name] = float64(n) / passages
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.NS, a.NS), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Register, b.Register),
			cmp.Compare(fmt.Sprint(a.Write), fmt.Sprint(b.Write)))
	})
	return all
}

// shortened is a place with the folder of its file.
func shortened(at site) string {
	dir, file := filepath.Split(at.file)
	return filepath.Base(dir) + "/" + file + ":" + strconv.Itoa(at.line)
}
