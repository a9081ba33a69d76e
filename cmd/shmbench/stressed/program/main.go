// Program stresses locks of this module. "shmbench stress" builds it with changed locks,
// and asks it.
package main

import (
	"context"

	"shmbench/cmd/shmbench/stressed"
)

func main() { stressed.Serve(context.Background()) }
