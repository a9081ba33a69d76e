package robust

import "shmbench/shm"

// Specs are the specifications of the mutexes that the operating system offers between
// processes: Spec, and in a program built with the tag "pthread" that of the C library.
func Specs() []shm.Algorithm { return append([]shm.Algorithm{Spec}, pthread...) }
