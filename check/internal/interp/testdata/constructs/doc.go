// Package constructs has a file for each construct of the language: a lock that
// is none, whose Lock is the construct. Beside it stand the accesses that one
// process makes: "x = 1" reads 1 from x, "x := 2" writes 2, "add x = 1 := 2" is
// an operation of sync/atomic that finds 1 and leaves 2. A line on which the
// code fails, or cannot be modeled, says so at its end.
package constructs
