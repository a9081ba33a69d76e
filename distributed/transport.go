package distributed

// A Parcel is a message on its way, with what travels along.
type Parcel struct {
	Message Message
	Fence   Fence // the greatest that the sender has heard of
	Sent    int64 // when, in ns of a clock that all nodes share; 0: there is none
}

// A Transport carries the messages of one node, to and from the others. Those of
// a pair of nodes arrive once each and in the order of sending, or the transport
// fails and says so.
type Transport interface {
	// Start lets messages arrive. deliver takes one after the other and may wait
	// until its node has room; fail is called when the transport can no longer
	// do what it promises, at most once, and nothing is delivered after it.
	Start(deliver func(Parcel), fail func(error)) error

	// Send puts p on its way to node p.Message.To. It does not wait for that
	// node, and owns p.Message.Body from here on.
	Send(p Parcel)

	// Close ends it. Nothing is delivered once Close has returned.
	Close() error
}
