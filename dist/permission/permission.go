package permission

import "shmbench/dist"

// before orders requests by timestamp, ties by node.
func before(stamp int64, node dist.ID, stamp2 int64, node2 dist.ID) bool {
	return stamp < stamp2 || stamp == stamp2 && node < node2
}

// exactly is a cost with one value.
func exactly(messages int) (least, most float64) { return float64(messages), float64(messages) }

// least returns the least of a clock and the timestamps that are one.
func least(clock int64, stamps ...int64) int64 {
	for _, s := range stamps {
		if s != 0 {
			clock = min(clock, s)
		}
	}
	return clock
}

// shift subtracts d from the timestamps that are one.
func shift(d int64, stamps ...*int64) {
	for _, s := range stamps {
		if *s != 0 {
			*s -= d
		}
	}
}
