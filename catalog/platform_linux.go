package catalog

import "shmbench/baseline"

// platform holds the algorithms that not every platform has.
var platform = alone(baseline.Futex)

// Absent returns the algorithms that this platform cannot have.
func Absent() []Absence { return nil }
