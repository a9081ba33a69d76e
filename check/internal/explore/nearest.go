package explore

import (
	"context"
	"sync/atomic"

	"shmbench/check/internal/crew"
)

// Image is what is asked about states by itself: Of writes Words words that
// have all of a state that the answer depends on.
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
	workers = min(max(workers, 1), mostWorkers)
	askers := make([]*asker, workers)
	errs := make([]error, workers)
	for i := range askers {
		askers[i] = &asker{g: g, image: image, ask: ask, images: rows[uint64]{per: image.Words}, to: make([]uint64, image.Words), first: map[int]uint32{}}
	}
	var stopped atomic.Bool
	crew.Share(workers, g.States, askedAtOnce, func(i, lo, hi int) {
		if stopped.Load() {
			return
		}
		if errs[i] = ctx.Err(); errs[i] == nil {
			errs[i] = askers[i].about(uint32(lo), uint32(hi))
		}
		if errs[i] != nil {
			stopped.Store(true)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, a := range askers[1:] {
		for bit, id := range a.first {
			askers[0].note(bit, id)
		}
	}
	return askers[0].first, nil
}

// asker is one of the goroutines that ask.
type asker struct {
	g       *Graph
	image   Image
	ask     func([]uint64) (uint64, error)
	known   table
	images  rows[uint64]
	answers []uint64 // by number of the image
	to      []uint64
	first   map[int]uint32
}

// about asks about the states from one number up to another.
func (a *asker) about(from, to uint32) error {
	for id := from; id < to; id++ {
		answer, err := a.answer(id)
		if err != nil {
			return err
		}
		for bit := 0; answer != 0; answer, bit = answer>>1, bit+1 {
			if answer&1 != 0 {
				a.note(bit, id)
			}
		}
	}
	return nil
}

// answer is the answer about a state, which may be known of its image.
func (a *asker) answer(id uint32) (uint64, error) {
	a.image.Of(a.g.State(id), a.to)
	count := len(a.answers)
	a.known.room(count, count+1, &a.images, func(_ bool, work func(int)) { work(0) })
	if k, _ := a.known.find(hash(a.to), a.to, uint32(count), &a.images, nil); k != None {
		return a.answers[k], nil
	}
	a.images.grow(count + 1)
	image := a.images.at(uint32(count))
	copy(image, a.to)
	answer, err := a.ask(image)
	a.answers = append(a.answers, answer)
	return answer, err
}

// note keeps a state that has a bit, if it is the first.
func (a *asker) note(bit int, id uint32) {
	if old, found := a.first[bit]; !found || id < old {
		a.first[bit] = id
	}
}
