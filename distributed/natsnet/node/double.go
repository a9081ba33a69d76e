package node

import "shmbench/distributed"

// double is a transport that breaks its promise: it delivers every message twice.
type double struct{ distributed.Transport }

func (d double) Start(deliver func(distributed.Parcel), fail func(error)) error {
	return d.Transport.Start(func(p distributed.Parcel) {
		again := p
		again.Message = p.Message.Clone()
		deliver(p)
		deliver(again)
	}, fail)
}
