package explore

import (
	"context"
	"encoding/binary"
	"math/bits"
	"sync/atomic"

	"shmbench/check/internal/crew"
)

// Image is the part of a state that a question depends on. Its method Of writes Words words,
// which have all of that part.
type Image struct {
	Words int
	Of    func(state, to []uint64)
}

// askedAtOnce is how many states a worker asks about at a time.
const askedAtOnce = 1 << 10

// Nearest asks about every visited state, and returns, for each bit of an
// answer, the first state that has it, which is a nearest. Each worker asks about
// an image once; ask may be called by several at once. An error of ask's ends
// it, and so does ctx.
func (g *Graph) Nearest(ctx context.Context, workers int, image Image, ask func(image []uint64) (uint64, error)) (map[int]uint32, error) {
	askers := make([]*asker, min(max(workers, 1), mostWorkers))
	for i := range askers {
		askers[i] = &asker{g: g, image: image, ask: ask, known: map[string]uint64{}, to: make([]uint64, image.Words), first: map[int]uint32{}}
	}
	var failed atomic.Pointer[error]
	crew.Share(len(askers), g.States, askedAtOnce, func(i, lo, hi int) {
		if failed.Load() != nil {
			return
		}
		err := ctx.Err()
		for id := lo; id < hi && err == nil; id++ {
			err = askers[i].about(uint32(id))
		}
		if err != nil {
			failed.CompareAndSwap(nil, &err)
		}
	})
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	for _, a := range askers[1:] {
		for bit, id := range a.first {
			askers[0].note(bit, id)
		}
	}
	return askers[0].first, nil
}

// asker is one of the workers that ask.
type asker struct {
	g     *Graph
	image Image
	ask   func([]uint64) (uint64, error)
	known map[string]uint64 // by image: the answer
	to    []uint64          // the image of the state that is asked about
	key   []byte
	first map[int]uint32
}

// about asks about a state, unless the answer is known of its image.
func (a *asker) about(id uint32) error {
	a.image.Of(a.g.State(id), a.to)
	a.key = appendKey(a.key[:0], a.to)
	answer, known := a.known[string(a.key)]
	if !known {
		var err error
		if answer, err = a.ask(a.to); err != nil {
			return err
		}
		a.known[string(a.key)] = answer
	}
	for ; answer != 0; answer &= answer - 1 {
		a.note(bits.TrailingZeros64(answer), id)
	}
	return nil
}

// note keeps a state that has a bit, if it is the first.
func (a *asker) note(bit int, id uint32) {
	if old, found := a.first[bit]; !found || id < old {
		a.first[bit] = id
	}
}

// appendKey appends the words of a state, which tell it from others.
func appendKey(key []byte, s []uint64) []byte {
	for _, w := range s {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return key
}
