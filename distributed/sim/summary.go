package sim

import (
	"slices"
	"time"

	"shmbench/distributed"
)

// A Summary is what several independent runs of the same options measured. For each measure
// it has the mean and the half-width of the 95% interval over the runs. If there is one run,
// the interval is that of its batch means.
type Summary struct {
	Entries      int `json:"entries"` // of all runs
	Replications int `json:"replications"`

	MessagesPerEntry     Number `json:"messages_per_entry"`
	MessagesPerEntryHalf Number `json:"messages_per_entry_half_width"`
	WaitingTime          Number `json:"waiting_time"` // s
	WaitingTimeHalf      Number `json:"waiting_time_half_width"`
	SyncDelay            Number `json:"synchronization_delay"` // s
	SyncDelayHalf        Number `json:"synchronization_delay_half_width"`
	Throughput           Number `json:"throughput"` // entries/s
	ThroughputHalf       Number `json:"throughput_half_width"`
	WithoutMessage       Number `json:"without_message"` // share of entries that no message brought
	WithoutMessageHalf   Number `json:"without_message_half_width"`

	ByKind map[string]Number `json:"messages_per_entry_by_kind"`

	LongestWait Number `json:"longest_wait"`   // s, waits under way at the end included
	Bypass      int64  `json:"bypass"`         // most of the runs
	Jain        Number `json:"jain"`           // mean of the runs
	Waiters     int    `json:"waiting_at_end"` // most of the runs
	OldestWait  Number `json:"oldest_wait"`    // s, of those that wait at the end
	Starving    int    `json:"starving"`       // threads that have waited longer than the patience at the end; most of the runs
	Lost        int64  `json:"lost"`
	Duplicated  int64  `json:"duplicated"`
	Crashes     int64  `json:"crashes"`
	Events      int64  `json:"events"`

	Revoked  int64 `json:"revoked,omitempty"`  // entries cut short: the permission was taken back
	Overlaps int64 `json:"overlaps,omitempty"` // entries while another was inside

	NotCarriedOut []string `json:"not_carried_out,omitempty"` // faults planned that had no effect in one run or another, and why

	End    End    `json:"end"` // of the first run that is not complete
	Detail string `json:"detail,omitempty"`
}

// Summarize sums up runs. There must be at least one run.
func Summarize(runs []Result) Summary {
	s := Summary{Replications: len(runs), End: Complete, ByKind: map[string]Number{}}
	var kinds distributed.Tally
	var longestWait time.Duration
	var jain float64
	for i := range runs {
		r := &runs[i]
		if r.End != Complete && s.End == Complete {
			s.End, s.Detail = r.End, r.Detail
		}
		for k, n := range r.Messages {
			kinds[k] += n
		}
		for _, text := range r.NotCarriedOut {
			if !slices.Contains(s.NotCarriedOut, text) {
				s.NotCarriedOut = append(s.NotCarriedOut, text)
			}
		}
		s.Entries += r.Entries
		s.Events += r.Events
		s.Lost += r.Lost
		s.Duplicated += r.Duplicated
		s.Crashes += r.Crashes
		s.Revoked += r.Revoked
		s.Overlaps += r.Overlaps
		s.Bypass = max(s.Bypass, r.Bypass)
		s.Waiters, s.Starving = max(s.Waiters, r.Waiters), max(s.Starving, r.Starving)
		s.OldestWait = max(s.OldestWait, Number(r.Oldest.Waited.Seconds()))
		longestWait = max(longestWait, r.LongestWait)
		jain += r.Jain
	}
	s.Jain, s.LongestWait = Number(jain/float64(len(runs))), Number(longestWait.Seconds())
	for name, n := range kinds.ByName() {
		if s.Entries > 0 {
			s.ByKind[name] = Number(float64(n) / float64(s.Entries))
		}
	}
	set := func(mean, half *Number, of func(r *Result) Interval) {
		i := of(&runs[0])
		if len(runs) > 1 {
			i = Across(runs, func(r *Result) float64 { return of(r).Mean })
		}
		*mean, *half = Number(i.Mean), Number(i.Half)
	}
	set(&s.MessagesPerEntry, &s.MessagesPerEntryHalf, func(r *Result) Interval { return r.MessagesPerEntry })
	set(&s.WaitingTime, &s.WaitingTimeHalf, func(r *Result) Interval { return r.Waiting })
	set(&s.SyncDelay, &s.SyncDelayHalf, func(r *Result) Interval { return r.SyncDelay })
	set(&s.Throughput, &s.ThroughputHalf, func(r *Result) Interval { return r.Throughput })
	set(&s.WithoutMessage, &s.WithoutMessageHalf, func(r *Result) Interval { return r.Local })
	return s
}
