// Package token has the mutual exclusion algorithms in which a node enters
// when it has the one token.
package token
