package play

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"strings"

	"shmbench/internal/page/stepper"
)

//go:embed page/page.html
var pageText string

//go:embed page/play.css
var pageCSS string

//go:embed page/*.js semantics/*.js
var scripts embed.FS

// semantics are the scripts of the worker and of the page, in their order.
var semantics = []string{"semantics/machine.js", "semantics/memory.js", "semantics/run.js", "semantics/search.js", "semantics/possible.js", "semantics/goal.js"}

// Exercise is a task on one of the documents of a page.
type Exercise struct {
	Title    string `json:"title"`
	Task     string `json:"task"`
	Document int    `json:"document"`
	Memory   string `json:"memory"`
	// Goal is what a schedule must reach: see semantics/goal.js. Why says why it can.
	Goal string `json:"goal"`
	Why  string `json:"why"`
}

// Page is locks that one page plays, with exercises or without.
type Page struct {
	Title     string      `json:"-"`
	Documents []*Document `json:"documents"`
	Exercises []Exercise  `json:"exercises,omitempty"`
}

var page = template.Must(template.New("page").Parse(stepper.HTML + pageText))

// The parts of a page before and after the Page in JSON.
var (
	begins = []byte(`<script type="application/json" id="document">`)
	ends   = []byte(`</script>`)
)

// JSON returns the Page of a page that Write has written, in JSON, and false for any other text.
func JSON(written []byte) (page []byte, ok bool) {
	_, rest, found := bytes.Cut(written, begins)
	page, _, ended := bytes.Cut(rest, ends)
	return page, found && ended
}

// Write writes the page. It needs nothing else.
func (p *Page) Write(w io.Writer) error {
	return page.Execute(w, struct {
		Title     string
		CSS       template.CSS
		Play      *Page
		Semantics template.JS
		Searcher  string
		JS        template.JS
	}{p.Title, template.CSS(stepper.Colors + stepper.CSS + pageCSS), p, template.JS(texts(semantics...)), texts("page/worker.js"),
		template.JS(stepper.JS + texts("page/words.js", "page/player.js", "page/possible.js", "page/play.js"))})
}

// texts are scripts, one after the other.
func texts(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := scripts.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}
