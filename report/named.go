package report

import (
	"html/template"
	"net/url"
	"slices"
	"strings"
)

// called names a lock as a user knows it: what package sync has by its name there, and a delegate
// with the way in which it is used.
func (c Spec) called() string {
	switch {
	case strings.HasPrefix(c.Title, "sync."):
		return c.Title
	case c.delegates():
		return c.Name + " (by Execute)"
	case c.MaxProcs == 2:
		return c.Name + " (for two processes)"
	}
	return c.Name
}

// called names a lock by its specification, if there is one.
func (in *Input) called(name string) string {
	for _, c := range in.Specs {
		if c.Name == name {
			return c.called()
		}
	}
	return name
}

func (in *Input) calledAll(names []string) (called []string) {
	for _, name := range names {
		called = append(called, in.called(name))
	}
	return called
}

// links lead to the parts of the page that are about some locks, and to their curves.
type links struct {
	Locks  []link
	Curves template.URL
}

type link struct {
	Lock string
	Page template.URL
}

// links has each lock once, without those that other links lead to.
func (in *Input) links(names []string, without links) (all links) {
	only := url.Values{}
	for _, name := range names {
		page := url.URL{Fragment: "lock/" + in.base(name)}
		if l := (link{name, template.URL(page.String())}); !slices.Contains(without.Locks, l) && !slices.Contains(all.Locks, l) {
			all.Locks = append(all.Locks, l)
			only.Add("only", name)
		}
	}
	all.Curves = template.URL("#cost?" + only.Encode())
	return all
}
