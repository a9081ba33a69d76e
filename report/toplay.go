package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"shmbench/check/play"
)

// ToPlay is a page of shmbench play. The report links to it and does not contain it.
type ToPlay struct {
	Path      string         `json:"path"`
	Documents []playDocument `json:"documents"`
	Exercises []playExercise `json:"exercises,omitempty"`
}

// playDocument is a lock for N processes on a page of shmbench play, as it is or changed.
type playDocument struct {
	Lock  string   `json:"lock"`
	N     int      `json:"n"`
	Edits []string `json:"edits,omitempty"`
}

type playExercise struct {
	Title    string `json:"title"`
	Document int    `json:"document"`
}

// isPage reports whether a file is a page of HTML.
func isPage(data []byte) bool {
	return bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 100)])), []byte("<!doctype html"))
}

// addToPlay adds a page of shmbench play.
func (in *Input) addToPlay(path string, data []byte) {
	p := ToPlay{Path: path}
	text, ok := play.JSON(data)
	if !ok || json.Unmarshal(text, &p) != nil || len(p.Documents) == 0 {
		in.miss(path, "is no page that shmbench play has written")
		return
	}
	in.ToPlay = append(in.ToPlay, p)
}

// playLink leads from the page of a lock to a page of shmbench play.
type playLink struct{ Href, Text string }

// toPlay adds links to pages of shmbench play to the pages of their locks.
func (in *Input) toPlay(page func(string) *lockPage) {
	for _, p := range in.ToPlay {
		if len(p.Exercises) == 0 {
			for _, d := range p.Documents {
				l := page(d.Lock)
				l.Play = append(l.Play, playLink{in.href(p.Path), d.says()})
			}
		}
		for k, e := range p.Exercises {
			if e.Document < 0 || e.Document >= len(p.Documents) {
				continue
			}
			l := page(p.Documents[e.Document].Lock)
			l.Play = append(l.Play, playLink{fmt.Sprintf("%s#exercise=%d", in.href(p.Path), k+1), fmt.Sprintf("exercise %d: %s", k+1, e.Title)})
		}
	}
}

func (d playDocument) says() string {
	text := fmt.Sprintf("step %d processes by hand", d.N)
	if len(d.Edits) > 0 {
		text += ", with the lock changed: " + strings.Join(d.Edits, "; ")
	}
	return text
}

// href is the address of a file as the report, which is in folder Dir, links to it.
func (in *Input) href(path string) string {
	if dir, err := filepath.Abs(in.Dir); err == nil {
		if to, err := filepath.Abs(path); err == nil {
			if rel, err := filepath.Rel(dir, to); err == nil {
				path = rel
			}
		}
	}
	return (&url.URL{Path: filepath.ToSlash(path)}).String()
}
