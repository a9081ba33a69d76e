package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The README's charts are what the code makes of the committed results, by the
// command that stands under them.
func TestChartsOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`shmbench report -o docs/charts/ -alg '([^']+)' results/amd-epyc-2`).FindSubmatch(readme)
	require.NotNil(t, command, "the README has the command")
	in, err := Read(t.Context(), []string{"../results/amd-epyc-2"})
	require.NoError(t, err)
	charts := in.Charts(regexp.MustCompile(string(command[1])))
	require.Len(t, charts, 3)
	for name, f := range charts {
		var b strings.Builder
		require.NoError(t, f.WriteSVG(&b))
		committed, err := os.ReadFile("../docs/charts/" + name + ".svg")
		require.NoError(t, err)
		require.True(t, string(committed) == b.String(), "docs/charts/%s.svg is not what the command under the charts writes", name)
		require.Contains(t, string(readme), "docs/charts/"+name+".svg")
	}
}

func TestChartsOfLittle(t *testing.T) {
	require.Empty(t, new(Input).Charts(regexp.MustCompile("")))
	in := new(Input)
	in.Add("m/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"queue-mcs": 20, "tas-tas": 10})))
	charts := in.Charts(regexp.MustCompile("^tas/"))
	require.Len(t, charts, 2, "nobody waits in another way")
	require.Len(t, charts["cost"].Panels[0].Series, 1)
	require.Empty(t, in.Charts(regexp.MustCompile("nosuch")), "no chart is empty")
}
