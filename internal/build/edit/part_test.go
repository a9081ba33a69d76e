package edit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const list = `package catalog

import (
	"slices"

	"shmbench/bakery"
	q "shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/tas"
)

var names = []string{"a"}

func All() []shm.Algorithm {
	return slices.Concat(
		shm.Variants(tas.TAS, shm.Packed),
		alone(bakery.Bakery),
		forms(tas.TTAS(1), tas.Other),
		q.All(),
		named(names, tas.Named),
	)
}
`

const helpers = `package catalog

import "shmbench/shm"

func alone(f func() shm.Algorithm) []shm.Algorithm { return []shm.Algorithm{f()} }

func forms(all ...shm.Algorithm) []shm.Algorithm {
	return all
}

func named(names []string, a shm.Algorithm) []shm.Algorithm { return nil }

type T struct{}

func (T) method() {}
`

// TestPart: the part of a list has the arguments that mention a family, in the order of the list, and what they need.
func TestPart(t *testing.T) {
	unnamed := strings.Replace(list, "\t\tnamed(names, tas.Named),\n", "", 1)
	const head, all = "package catalog\n\nimport (\n", "\n// All returns the locks of some families.\nfunc All() []shm.Algorithm {\n\treturn slices.Concat(\n"
	for _, c := range []struct {
		name     string
		families []string
		list     string
		want     string // "" if the list cannot be taken apart
	}{
		{"one family", []string{"tas"}, unnamed,
			head + "\t\"shmbench/shm\"\n\t\"shmbench/tas\"\n\t\"slices\"\n)\n" + all +
				"\t\tshm.Variants(tas.TAS, shm.Packed),\n\t\tforms(tas.TTAS(1), tas.Other),\n\t)\n}\n" +
				"\nfunc forms(all ...shm.Algorithm) []shm.Algorithm {\n\treturn all\n}\n"},
		{"another family", []string{"bakery"}, list,
			head + "\t\"shmbench/bakery\"\n\t\"shmbench/shm\"\n\t\"slices\"\n)\n" + all +
				"\t\talone(bakery.Bakery),\n\t)\n}\n" +
				"\nfunc alone(f func() shm.Algorithm) []shm.Algorithm { return []shm.Algorithm{f()} }\n"},
		{"two families", []string{"tas", "bakery"}, unnamed,
			head + "\t\"shmbench/bakery\"\n\t\"shmbench/shm\"\n\t\"shmbench/tas\"\n\t\"slices\"\n)\n" + all +
				"\t\tshm.Variants(tas.TAS, shm.Packed),\n\t\talone(bakery.Bakery),\n\t\tforms(tas.TTAS(1), tas.Other),\n\t)\n}\n" +
				"\nfunc alone(f func() shm.Algorithm) []shm.Algorithm { return []shm.Algorithm{f()} }\n" +
				"\nfunc forms(all ...shm.Algorithm) []shm.Algorithm {\n\treturn all\n}\n"},
		{"a variable of the package", []string{"tas"}, list, ""},
		{"an import with a name", []string{"q"}, list, ""},
		{"no mention", []string{"queue"}, list, ""},
		{"a mention outside of slices.Concat", []string{"bakery"}, list + "\nvar first = bakery.Bakery\n", ""},
		{"a method", []string{"bakery"}, strings.Replace(list, "alone(bakery.Bakery)", "method(bakery.Bakery)", 1), ""},
	} {
		tree := written(t, map[string]string{"catalog/catalog.go": c.list, "catalog/helpers.go": helpers})
		p, err := tree.Part("catalog", c.families)
		require.NoError(t, err, c.name)
		if c.want == "" {
			require.Nil(t, p, c.name)
			continue
		}
		require.NotNil(t, p, c.name)
		require.Equal(t, &Program{Root: tree.Root, Path: "shmbench/catalog/part", PartOf: "shmbench/catalog", Packages: []Package{{
			As: "part of catalog", Path: "shmbench/catalog/part", Dir: tree.Root + "/catalog/part", Files: []File{{Name: "part.go", Text: c.want}},
		}}}, p, c.name)
	}
	_, err := written(t, nil).Part("catalog", []string{"tas"})
	require.ErrorContains(t, err, "no Go source in catalog of ")
}
