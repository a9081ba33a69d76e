package plot

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type color [3]float64 // linear red, green and blue, from 0 to 1

func parse(t *testing.T, hex string) (c color) {
	t.Helper()
	for i := range c {
		v, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		require.NoError(t, err)
		if s := float64(v) / 255; s <= 0.04045 {
			c[i] = s / 12.92
		} else {
			c[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return c
}

// lab converts a color to CIELAB with the white of D65.
func (c color) lab() (l, a, b float64) {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*c[0] + 0.3575761*c[1] + 0.1804375*c[2]) / 0.95047)
	y := f(0.2126729*c[0] + 0.7151522*c[1] + 0.0721750*c[2])
	z := f((0.0193339*c[0] + 0.1191920*c[1] + 0.9503041*c[2]) / 1.08883)
	return 116*y - 16, 500 * (x - y), 200 * (y - z)
}

// difference is CIEDE2000.
//
// Source: Gaurav Sharma, Wencheng Wu, Edul N. Dalal, "The CIEDE2000 Color-Difference
// Formula: Implementation Notes, Supplementary Test Data, and Mathematical
// Observations", Color Research and Application 30(1), 2005, p. 21-30.
func difference(l1, a1, b1, l2, a2, b2 float64) float64 {
	rad := math.Pi / 180
	seventh := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 0.5 * (1 - seventh((math.Hypot(a1, b1)+math.Hypot(a2, b2))/2))
	a1, a2 = a1*(1+g), a2*(1+g)
	c1, c2 := math.Hypot(a1, b1), math.Hypot(a2, b2)
	hue := func(a, b float64) float64 {
		if h := math.Atan2(b, a) / rad; h < 0 {
			return h + 360
		} else {
			return h
		}
	}
	h1, h2 := hue(a1, b1), hue(a2, b2)
	dh, sum := h2-h1, h1+h2
	switch {
	case c1*c2 == 0:
		dh = 0
	case dh > 180:
		dh -= 360
	case dh < -180:
		dh += 360
	}
	h := sum
	switch {
	case c1*c2 == 0:
	case math.Abs(h1-h2) <= 180:
		h = sum / 2
	case sum < 360:
		h = (sum + 360) / 2
	default:
		h = (sum - 360) / 2
	}
	l, c := (l1+l2)/2, (c1+c2)/2
	t := 1 - 0.17*math.Cos(rad*(h-30)) + 0.24*math.Cos(rad*2*h) + 0.32*math.Cos(rad*(3*h+6)) - 0.2*math.Cos(rad*(4*h-63))
	sl := 1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	sc, sh := 1+0.045*c, 1+0.015*c*t
	rt := -math.Sin(rad*60*math.Exp(-math.Pow((h-275)/25, 2))) * 2 * seventh(c)
	dl, dc, dH := (l2-l1)/sl, (c2-c1)/sc, 2*math.Sqrt(c1*c2)*math.Sin(rad*dh/2)/sh
	return math.Sqrt(dl*dl + dc*dc + dH*dH + rt*dc*dH)
}

// The values are of rows of the table of Sharma, Wu and Dalal.
func TestDifference(t *testing.T) {
	require.InDelta(t, 2.0425, difference(50, 2.6772, -79.7751, 50, 0, -82.7485), 1e-4)
	require.InDelta(t, 2.3669, difference(50, 0, 0, 50, -1, 2), 1e-4)
	require.InDelta(t, 22.8977, difference(50, 2.5, 0, 61, -5, 29), 1e-4)
	require.InDelta(t, 1.2644, difference(60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387), 1e-4)
}

// seen is how a color is seen: with deuteranopia and protanopia, and in a print without
// color.
//
// Source: Gustavo M. Machado, Manuel M. Oliveira, Leandro A. F. Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
// Transactions on Visualization and Computer Graphics 15(6), 2009, p. 1291-1298, for a
// severity of 1.
var seen = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"print":        {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
}

func (c color) by(m [3][3]float64) (out color) {
	for i, row := range m {
		out[i] = min(1, max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return out
}

// colorsOf reads --c0 to --c7 from the style of the page, for light and for dark.
func colorsOf(t *testing.T) map[string][]string {
	t.Helper()
	css, err := os.ReadFile("../page/stepper/colors.css")
	require.NoError(t, err)
	light, dark, ok := strings.Cut(string(css), "prefers-color-scheme: dark")
	require.True(t, ok)
	dark, _, _ = strings.Cut(dark, "\n\n")
	all := map[string][]string{}
	for name, text := range map[string]string{"light": light, "dark": dark} {
		for _, m := range regexp.MustCompile(`--c[0-7]: (#[0-9a-f]{6})`).FindAllStringSubmatch(text, 8) {
			all[name] = append(all[name], m[1])
		}
		require.Len(t, all[name], len(colors), name)
	}
	require.Equal(t, colors, all["light"], "files and pages have the same colors")
	return all
}

// Any two of the eight looks differ in normal vision by their color, and elsewhere by
// their color, or by mark and dash.
func TestLooksDiffer(t *testing.T) {
	for scheme, hex := range colorsOf(t) {
		for vision, how := range seen {
			for i := range hex {
				for j := range i {
					l1, a1, b1 := parse(t, hex[i]).by(how).lab()
					l2, a2, b2 := parse(t, hex[j]).by(how).lab()
					d := difference(l1, a1, b1, l2, a2, b2)
					if vision == "normal" {
						require.GreaterOrEqual(t, d, 15.0, "%s: %s and %s", scheme, hex[i], hex[j])
					} else if d < 8 {
						require.NotEqual(t, marks[i], marks[j], "%s, %s: %s and %s differ by %.1f", scheme, vision, hex[i], hex[j], d)
						require.NotEqual(t, dashes[i], dashes[j], "%s, %s: %s and %s differ by %.1f", scheme, vision, hex[i], hex[j], d)
					}
				}
			}
		}
	}
}

// Series of the same color have another dash and another mark.
func TestMoreSeriesThanLooksDiffer(t *testing.T) {
	seen := map[string]bool{}
	for i := range 3 * Looks {
		st := styleOf(i, Series{})
		require.NotContains(t, seen, st.Color+st.Dash, i)
		require.NotContains(t, seen, st.Color+st.Mark, i)
		seen[st.Color+st.Dash], seen[st.Color+st.Mark] = true, true
	}
}
