package sim

import "shmbench/distributed"

// network is what lies between the nodes.
type network struct {
	pairs       pairs
	loss        float64
	duplication float64
	losses      stream
	doubles     stream

	apart      bool    // node 0 is separated from no node
	parted     bool    // a Cut is on
	side       []bool  // which side a node is on
	next       []Fault // Lose and Copy that wait for their message
	unreliable bool    // any of the above can happen
}

func newNetwork(o *Options) network {
	w := network{
		pairs:       newPairs(),
		loss:        o.Random.Loss,
		duplication: o.Random.Duplication,
		losses:      newStream(o.Seed, forLoss),
		doubles:     newStream(o.Seed, forDuplication),
		side:        make([]bool, o.System.Nodes),
		apart:       o.Algorithm.Apart,
	}
	w.unreliable = w.loss > 0 || w.duplication > 0 || len(o.Faults) > 0 || o.Random.Cut > 0
	return w
}

// severs reports whether a Cut keeps messages of i from j.
func (w *network) severs(i, j distributed.ID) bool {
	return w.parted && w.side[i] != w.side[j] && !(w.apart && (i == 0 || j == 0))
}

// copies returns how often m arrives: 0 when it is lost, 2 when it is doubled.
func (w *network) copies(m *distributed.Message, count *meter) int {
	copies := 1
	if w.duplication > 0 && w.doubles.chance(w.duplication) {
		copies = 2
	}
	if w.loss > 0 && w.losses.chance(w.loss) {
		copies = 0
	}
	for i, f := range w.next {
		if f.Node == m.From && f.To == m.To {
			copies = 0
			if f.Kind == Copy {
				copies = 2
			}
			w.next = append(w.next[:i], w.next[i+1:]...)
			break
		}
	}
	if w.severs(m.From, m.To) {
		copies = 0
	}
	switch copies {
	case 0:
		count.lost++
	case 2:
		count.doubled++
	}
	return copies
}
