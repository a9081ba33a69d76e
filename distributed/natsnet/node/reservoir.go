package node

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"shmbench/distributed"
)

// A Delay is the time that a message of a kind took.
type Delay struct {
	Kind distributed.Kind `json:"kind"`
	Took time.Duration    `json:"took"`
}

// reservoir keeps a random sample of the delays. Each delay is equally likely to
// be in it (algorithm R: Jeffrey S. Vitter, Random Sampling with a Reservoir, ACM
// TOMS 11(1), 1985).
type reservoir struct {
	mu   *sync.Mutex
	rng  *rand.Rand
	kept []Delay
	seen int64
}

// kept is the size of a reservoir.
const kept = 4096

func newReservoir(seed uint64) reservoir {
	return reservoir{mu: new(sync.Mutex), rng: rand.New(rand.NewPCG(seed, 1))}
}

func (r *reservoir) add(kind distributed.Kind, took time.Duration) {
	if took < 0 { // possible if the clocks of two machines differ
		return
	}
	d := Delay{kind, took}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen++
	if len(r.kept) < kept {
		r.kept = append(r.kept, d)
	} else if k := r.rng.Int64N(r.seen); k < kept {
		r.kept[k] = d
	}
}

func (r *reservoir) samples() []Delay {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.kept)
}
