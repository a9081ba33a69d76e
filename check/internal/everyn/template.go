package everyn

// Template is one process of a lock for any number of processes. The registers are shared, or
// an array with one cell for each process. A process is at a location, and may have a cursor:
// the id of a process. A value is a constant, which its index in Constants names, or an id.
type Template struct {
	Shared    []Register `json:"shared"`
	Own       []Register `json:"own"`
	Locations []Location `json:"locations"` // the first one is the initial one
}

// Register is a shared register, or the array of the cells that the processes own.
type Register struct {
	Name      string   `json:"name"`
	Constants []string `json:"constants"`
	// Initial is the initial value: the index of a constant, or FirstID or OwnID.
	Initial int `json:"initial"`
}

// The initial values that are ids: that of process 0, and in a cell that of its owner.
const (
	FirstID = -1
	OwnID   = -2
)

// Location is a place of the source, before an access.
type Location struct {
	Name     string `json:"name"`
	Critical bool   `json:"critical,omitempty"`
	// Cursor: a process at this location has a cursor.
	Cursor bool   `json:"cursor,omitempty"`
	Access Access `json:"access"`
	Rules  []Rule `json:"rules"`
}

// Access says which register a process accesses: Shared[Register], or its own cell or that of
// its cursor in Own[Register].
type Access struct {
	At       Place `json:"at"`
	Register int   `json:"register"`
}

// Place says whose cell an access is on.
type Place string

// The places.
const (
	AtNothing Place = "nothing"
	AtShared  Place = "shared"
	AtOwn     Place = "own"
	AtCursor  Place = "cursor"
)

// Rule says what a process does when the register holds a value: the constant with the index
// Read, or if that is OwnID its own id, or if that is OtherID any other id.
type Rule struct {
	Read  int `json:"read"`
	Write int `json:"write"`
	// Goto has the locations to which the process may go. It goes to the first one for whose
	// cursor there is a process.
	Goto []Target `json:"goto"`
}

// OtherID is the id of another process; Unchanged and CursorID are values that are written.
const (
	OtherID   = -3
	Unchanged = -4
	CursorID  = -5
)

// Target is a location and the cursor with which a process comes there.
type Target struct {
	Location int    `json:"location"`
	Cursor   Cursor `json:"cursor"`
}

// Cursor says how a process finds its next cursor.
type Cursor struct {
	Kind Kind `json:"kind"`
	// A scan goes through the ids upward from From, which is left out, or downward. At the
	// own id it stops without a result, or skips it, or takes it. If Around is true, a
	// scan goes on at the other end of the ids.
	From   From  `json:"from,omitempty"`
	Down   bool  `json:"down,omitempty"`
	Around bool  `json:"around,omitempty"`
	Own    OnOwn `json:"own,omitempty"`
}

// Kind is the kind of a Cursor.
type Kind string

// The kinds: none, the same as before, the own id, the id that was read, the result of a scan.
const (
	None Kind = "none"
	Same Kind = "same"
	Self Kind = "self"
	Read Kind = "read"
	Scan Kind = "scan"
)

// From says where a scan begins: before the first id (after the last one if it goes downward),
// at the own id, or at the cursor.
type From string

// The beginnings of scans.
const (
	FromEnd    From = "end"
	FromSelf   From = "self"
	FromCursor From = "cursor"
)

// OnOwn says what a scan does at the process's own id.
type OnOwn string

// What a scan does at the own id.
const (
	Take OnOwn = "take"
	Skip OnOwn = "skip"
	Stop OnOwn = "stop"
)
