package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// whole says of some families whether a check of one of their locks reads all families:
// the locks of numa need to know where the nodes are.
var whole = map[string]bool{"numa": true, "tas": false, "peterson": false}

// TestAPartOfTheCatalog: a part has every lock of its family, with the origin that the
// whole catalog gives, and it does not read the other families.
func TestAPartOfTheCatalog(t *testing.T) {
	sample.NeedsAll(t)
	for _, family := range catalog.Families() {
		isWhole, known := whole[family]
		all := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return !strings.HasPrefix(a.Name, family+"/") })
		p, err := source.OpenFor(t.Context(), catalog.Path, all[:1])
		require.NoError(t, err)
		if known {
			require.Equal(t, isWhole, p.Path == catalog.Path, family)
		}
		for _, a := range []shm.Algorithm{all[0], all[len(all)-1]} {
			lock := p.Algorithm("All", a)
			require.Equal(t, source.Origin{Package: catalog.Path, List: "All", Algorithm: a.Name}, lock.Origin)
			_, err := lock.Learn(t.Context(), a.MinProcs, model.Options{})
			require.NoError(t, err)
		}
		for _, s := range p.Prog.Sources {
			require.False(t, family != "numa" && p.Path != catalog.Path && s.Types.Path() == "shmbench/locks/numa", family)
		}
	}
}

// TestAPartOfSeveralFamilies: a part lists the families that are named, in the order of the
// catalog, and no other.
func TestAPartOfSeveralFamilies(t *testing.T) {
	p, err := source.OpenFor(t.Context(), catalog.Path, []shm.Algorithm{{Name: "tas/ttas"}, {Name: "dekker/dekker"}, {Name: "tas/tas"}})
	require.NoError(t, err)
	var read []string
	for _, s := range p.Prog.Sources {
		read = append(read, s.Types.Path())
	}
	require.Subset(t, read, []string{"shmbench/locks/dekker", "shmbench/tas", p.Path})
	require.NotContains(t, read, "shmbench/locks/queue")
}

// TestNoPartOfOtherLists: a package whose list is no call of slices.Concat is read as a whole.
func TestNoPartOfOtherLists(t *testing.T) {
	p, err := source.OpenFor(t.Context(), "shmbench/check/testdata/numa", []shm.Algorithm{{Name: "numa/hclh"}})
	require.NoError(t, err)
	require.Equal(t, "shmbench/check/testdata/numa", p.Path)
}
