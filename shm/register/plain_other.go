//go:build !amd64 || !gc || race

package register

// plain says that a plain store of the compiler is a store with release order.
const plain = false
