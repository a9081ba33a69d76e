// Package machines has locks, most of which are none, that the tests of package
// interp build and run.
package machines
