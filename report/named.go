package report

import (
	"html/template"
	"net/url"
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

// link leads from the name of a lock to its part of the page, and to its curve.
type link struct {
	Lock        string
	Page, Curve template.URL
}

func (in *Input) links(names []string) (all []link) {
	for _, name := range names {
		page := url.URL{Fragment: "lock/" + in.base(name)}
		all = append(all, link{name, template.URL(page.String()), template.URL("#cost?only=" + url.QueryEscape(name))})
	}
	return all
}
