package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// graph has, by node, the nodes to which arrows lead.
type graph map[string]map[string]bool

// collapse returns the graph of rooms, with an arrow from each to every room that it
// imports. A package without a room is left out.
func collapse(packages imports, room func(path string) string) graph {
	g := graph{}
	for path, imported := range packages {
		from := room(path)
		if from == "" {
			continue
		}
		if g[from] == nil {
			g[from] = map[string]bool{}
		}
		for _, other := range imported {
			if _, own := packages[other]; !own {
				continue
			}
			if to := room(other); to != "" && to != from {
				g[from][to] = true
			}
		}
	}
	return g
}

// leads reports whether a way of arrows leads from one node to another. It does not use
// the arrow from one to the other itself.
func (g graph) leads(from, to string) bool {
	known := map[string]bool{from: true}
	queue := []string{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for next := range g[at] {
			switch {
			case at == from && next == to, known[next]:
				continue
			case next == to:
				return true
			}
			known[next] = true
			queue = append(queue, next)
		}
	}
	return false
}

// mermaid returns a drawing of the graph without the arrows that others imply.
func mermaid(g graph) string {
	var b strings.Builder
	b.WriteString("```mermaid\ngraph TD\n")
	for _, from := range slices.Sorted(maps.Keys(g)) {
		fmt.Fprintf(&b, "    %s[%s]\n", id(from), from)
	}
	for _, from := range slices.Sorted(maps.Keys(g)) {
		for _, to := range slices.Sorted(maps.Keys(g[from])) {
			if !g.leads(from, to) {
				fmt.Fprintf(&b, "    %s --> %s\n", id(from), id(to))
			}
		}
	}
	b.WriteString("```\n")
	return b.String()
}

// id is the name of a node in Mermaid, in which it has no slashes.
func id(name string) string { return strings.ReplaceAll(name, "/", "_") }
