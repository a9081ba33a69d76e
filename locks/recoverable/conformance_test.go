package recoverable

import (
	"testing"

	"shmbench/internal/testkit/conform"
)

func TestRTASConformance(t *testing.T) { conform.Run(t, RTAS()) }

func TestRPetersonConformance(t *testing.T) { conform.Run(t, RPeterson()) }

func TestRPTreeConformance(t *testing.T) { conform.Run(t, RPTree()) }

func TestRYAConformance(t *testing.T) { conform.Run(t, RYA()) }

func TestRBakeryConformance(t *testing.T) { conform.Run(t, RBakery()) }

func TestRBakeryInsideConformance(t *testing.T) { conform.Run(t, RBakeryInside()) }

func TestRTicketConformance(t *testing.T) { conform.Run(t, RTicket()) }

func TestRCLHConformance(t *testing.T) { conform.Run(t, RCLH()) }

func TestRMCSConformance(t *testing.T) { conform.Run(t, RMCS()) }

func TestRJJJConformance(t *testing.T) { conform.Run(t, RJJJ()) }
