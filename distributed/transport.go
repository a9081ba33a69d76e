package distributed

// A Parcel is a message on its way, with the data that accompany it.
type Parcel struct {
	Message Message
	Fence   Fence // the greatest fence that the sender has heard of
	Sent    int64 // time of sending, in ns of a clock that all nodes share; 0: there is no such clock
}

// A Transport carries the messages of one node, to and from the other nodes. The
// messages of a pair of nodes arrive once each and in the order of sending.
// Otherwise the transport fails and reports the failure.
type Transport interface {
	// Start lets messages arrive. The transport calls deliver with one parcel
	// after the other, and deliver may wait until its node has room. The transport
	// calls fail at most once, when it can no longer keep its promise. After that
	// it delivers nothing.
	Start(deliver func(Parcel), fail func(error)) error

	// Send puts p on its way to node p.Message.To. It does not wait for that node.
	// The transport owns p.Message.Body from then on.
	Send(p Parcel)

	// Close ends the transport. Once Close has returned, the transport delivers
	// nothing.
	Close() error
}
