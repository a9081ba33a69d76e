package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"flag"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/report"
)

var drawPicture = flag.Bool("draw-picture", false, "draw the picture of the README again, with Chromium or the program that CHROMIUM names")

const (
	picture  = "docs/pictures/report.png" // the first screen of the report of
	pictured = "results/amd-epyc-2"
)

// TestPicture: the picture in the README shows what the program says of the same results. The file
// has the sentences that it shows, too. This command draws it again:
//
//	go test ./cmd/shmbench -run TestPicture -draw-picture
func TestPicture(t *testing.T) {
	t.Chdir("../..")
	in, err := report.Read(t.Context(), []string{pictured})
	require.NoError(t, err)
	know(in)
	var says bytes.Buffer
	writeRecommendations(&says, in.Recommendations())
	if *drawPicture {
		draw(t, says.String())
	}
	png, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Equal(t, says.String(), textOf(png))
	require.True(t, strings.HasPrefix(says.String(), "Use sync.Mutex: "), "the pages say so, too")
	for _, page := range []string{"README.md", "docs/faq.md", "docs/choosing-a-lock.md"} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.Contains(t, string(text), "Use `sync.Mutex` unless", page)
	}
}

// draw draws the first screen of the report, and puts its sentences into the file.
func draw(t *testing.T, says string) {
	page := filepath.Join(t.TempDir(), "report.html")
	_, diag, code := shmbench(t.Context(), "report", "-o", page, pictured)
	require.Equal(t, exitHolds, code, diag)
	out, err := exec.CommandContext(t.Context(), cmp.Or(os.Getenv("CHROMIUM"), "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--window-size=1200,470", "--screenshot="+picture, "file://"+page).CombinedOutput()
	require.NoError(t, err, "%s", out)
	png, err := os.ReadFile(picture)
	require.NoError(t, err)
	at := len(pngSignature) + chunkLength(png[len(pngSignature):]) // after the header
	require.NoError(t, os.WriteFile(picture, bytes.Join([][]byte{png[:at], textChunk(says), png[at:]}, nil), 0o666))
}

const pngSignature = "\x89PNG\r\n\x1a\n"

// textKind is the kind of a chunk of a PNG file that has a text, with the key of the text.
const textKind = "tEXtDescription\x00"

// textChunk is a chunk of a PNG file with a text.
func textChunk(text string) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(textKind)-len("tEXt")+len(text)))
	chunk = append(chunk, textKind+text...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// chunkLength is the length of the chunk that a part of a PNG file begins with: four bytes for
// the length of its data, four for its kind, the data, and four for the checksum.
func chunkLength(png []byte) int { return 12 + int(binary.BigEndian.Uint32(png)) }

// textOf is the text of a PNG file, or empty.
func textOf(png []byte) string {
	for rest := png[len(pngSignature):]; len(rest) >= 12; rest = rest[chunkLength(rest):] {
		if text, ok := bytes.CutPrefix(rest[4:chunkLength(rest)-4], []byte(textKind)); ok {
			return string(text)
		}
	}
	return ""
}
