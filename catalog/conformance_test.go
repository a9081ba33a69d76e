package catalog_test

import (
	"testing"

	"shmbench/catalog"
	"shmbench/locktest"
)

// Every lock in every layout does what its card says.
func TestConformance(t *testing.T) {
	for _, a := range catalog.All() {
		t.Run(a.Name, func(t *testing.T) { locktest.Run(t, a) })
	}
}
