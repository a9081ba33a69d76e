package mylock_test

import (
	"testing"

	"shmbench/locktest"
	"shmbench/stress"

	"example.com/mylock"
)

func TestTicket(t *testing.T)         { locktest.Run(t, mylock.Ticket) }
func TestTicketStressed(t *testing.T) { stress.Run(t, mylock.Ticket) }
func TestPlain(t *testing.T)          { locktest.Run(t, mylock.Plain) }
func TestPlainStressed(t *testing.T)  { stress.Run(t, mylock.Plain) }
