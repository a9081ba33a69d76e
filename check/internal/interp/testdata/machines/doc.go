// Package machines has types that the tests of package interp build and run as locks.
// Most of them are no locks.
package machines
