package main

import "testing"

func TestFlags(t *testing.T) { inTests.Flags(t, 120) }
