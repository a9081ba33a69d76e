package browser

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// The print of one machine has at most eight pages, none half empty before the last.
func TestPrintIsShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.html")
	shmbench(t, "report", "-o", path, "results/amd-epyc-2")
	x := open(t, path, "")
	x.do(emulation.SetEmulatedMedia().WithMedia("print"))
	for paper, inches := range map[string][2]float64{"A4": {8.27, 11.69}, "letter": {8.5, 11}} {
		var pdf []byte
		x.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			const margin = 0.4 // that of the browser's dialog
			pdf, _, err = page.PrintToPDF().WithPaperWidth(inches[0]).WithPaperHeight(inches[1]).
				WithMarginTop(margin).WithMarginBottom(margin).WithMarginLeft(margin).WithMarginRight(margin).Do(ctx)
			return err
		}))
		filled := filledOf(t, pdf)
		t.Logf("%d pages of %s, filled to %.2f", len(filled), paper, filled)
		require.NotEmpty(t, filled)
		require.LessOrEqual(t, len(filled), 8, paper)
		for i, part := range filled[:len(filled)-1] {
			require.Greater(t, part, 0.5, "page %d of %s", i+1, paper)
		}
	}
	closed := eval[[]string](x, `[...document.querySelectorAll("section > details:not([open])")].map((d) => getComputedStyle(d.firstChild).display + " " + getComputedStyle(d.firstChild, "::before").content)`)
	require.NotEmpty(t, closed)
	for _, c := range closed {
		require.Regexp(t, `^inline "(Closed, not printed: |· )"$`, c, "closed sections are listed")
	}
}

// filledOf says for each page of a PDF how far down its lowest text is, from 0 to 1.
func filledOf(t *testing.T, pdf []byte) (filled []float64) {
	t.Helper()
	for _, page := range regexp.MustCompile(`(?s)/Type /Page\n.*?endobj`).FindAllString(string(pdf), -1) {
		box := regexp.MustCompile(`/MediaBox \[0 0 [\d.]+ ([\d.]+)\]`).FindStringSubmatch(page)
		object := regexp.MustCompile(`/Contents (\d+) 0 R`).FindStringSubmatch(page)
		require.NotNil(t, box, page)
		require.NotNil(t, object, page)
		_, content, ok := strings.Cut(string(pdf), "\n"+object[1]+" 0 obj\n")
		require.True(t, ok)
		_, content, ok = strings.Cut(content, "stream\n")
		require.True(t, ok)
		from, err := zlib.NewReader(strings.NewReader(content))
		require.NoError(t, err)
		var text bytes.Buffer
		_, err = io.Copy(&text, from)
		require.NoError(t, err)
		height, err := strconv.ParseFloat(box[1], 64)
		require.NoError(t, err)
		filled = append(filled, 1-lowest(text.String(), height)/height)
	}
	return filled
}

// lowest is the least vertical coordinate of text in a page's content. It follows scales and
// shifts; the content has no other transformation.
func lowest(content string, height float64) float64 {
	type transform struct{ scale, shift float64 }
	now, least := transform{1, 0}, height
	var stack []transform
	var operands []float64
	for word := range strings.FieldsSeq(content) {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			operands = append(operands, v)
			continue
		}
		n := len(operands)
		switch {
		case word == "q":
			stack = append(stack, now)
		case word == "Q" && len(stack) > 0:
			now, stack = stack[len(stack)-1], stack[:len(stack)-1]
		case word == "cm" && n >= 6:
			now = transform{now.scale * operands[n-3], now.shift + now.scale*operands[n-1]}
		case word == "Tm" && n >= 6:
			least = min(least, now.shift+now.scale*operands[n-1])
		}
		operands = operands[:0]
	}
	return least
}
