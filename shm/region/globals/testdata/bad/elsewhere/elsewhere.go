// Package elsewhere has a variable that the passages of another package's lock use.
package elsewhere

var count int

// Take uses the variable.
func Take() { count++ }
