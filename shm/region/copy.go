package region

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"shmbench/shm"
)

// extent is a piece of memory of an object, and the pointers to it.
type extent struct{ begin, end uintptr }

// cluster is several extents and the bytes between them. Memory that shares a cache line with
// other memory of the object is in the same cluster, which moves as a whole. So data that
// shared a line still shares it, and data that did not still does not.
type cluster struct {
	extent
	parts []extent
	to    uintptr // where it moves to
}

// copier is the plan of a copy of an object.
type copier struct {
	extents  []extent
	slots    map[uintptr]bool // addresses of pointers
	clusters []cluster
}

// root is the object that is being copied. It is a variable of the package so that the
// object is on the heap: a stack can move, and the addresses of the walk with it.
var (
	rootMu sync.Mutex
	root   any
)

// line is the alignment that clusters keep, and the memory that one cache line covers.
const line = uintptr(shm.LineBytes)

// plan walks through an object and finds the memory to copy, or returns a *Refusal.
func plan[T any](p *program, object *T) (*copier, error) {
	rootMu.Lock()
	defer rootMu.Unlock()
	root = object
	defer func() { root = nil }()
	c := &copier{slots: map[uintptr]bool{}}
	begin := uintptr(unsafe.Pointer(object))
	t := reflect.TypeFor[T]()
	c.extents = append(c.extents, extent{begin, begin + max(t.Size(), 1)})
	w := newWalker(p, func(slot, address, size uintptr) string {
		c.slots[slot] = true
		c.extents = append(c.extents, extent{address, address + max(size, 1)})
		return ""
	})
	err := w.value(rootPath(object, t), begin, t)
	runtime.KeepAlive(root)
	if err != nil {
		return nil, err
	}
	c.gather()
	return c, nil
}

// rootPath is the name of an object in the path of a Refusal.
func rootPath(object any, t reflect.Type) string {
	if t.Kind() == reflect.Interface {
		if e := reflect.ValueOf(object).Elem().Elem(); e.IsValid() {
			return e.Type().String()
		}
	}
	return t.String()
}

// gather makes clusters of the extents.
func (c *copier) gather() {
	slices.SortFunc(c.extents, func(a, b extent) int { return cmp.Compare(a.begin, b.begin) })
	for _, e := range c.extents {
		if last := len(c.clusters) - 1; last >= 0 && e.begin/line <= (c.clusters[last].end-1)/line {
			c.clusters[last].end = max(c.clusters[last].end, e.end)
			c.clusters[last].parts = append(c.clusters[last].parts, e)
			continue
		}
		c.clusters = append(c.clusters, cluster{extent: e, parts: []extent{e}})
	}
}

// place gives each cluster its place from an address on, which is a multiple of line, and
// returns the address behind the last.
func (c *copier) place(next uintptr) uintptr {
	for i := range c.clusters {
		cl := &c.clusters[i]
		cl.to = next + cl.begin%line
		next = (cl.to + (cl.end - cl.begin) + line - 1) / line * line
	}
	return next
}

// moved returns the new address of an address of the object.
func (c *copier) moved(address uintptr) uintptr {
	i, found := slices.BinarySearchFunc(c.clusters, address, func(cl cluster, a uintptr) int {
		switch {
		case cl.end <= a:
			return -1
		case a < cl.begin:
			return 1
		}
		return 0
	})
	if !found {
		panic("region: a pointer leads to memory that is not copied")
	}
	return c.clusters[i].to + address - c.clusters[i].begin
}

// copy copies the clusters to their places, and redirects the pointers there to the copies.
func (c *copier) copy() {
	for _, cl := range c.clusters {
		for _, e := range cl.parts {
			size := e.end - e.begin
			copy(unsafe.Slice(at[byte](cl.to+e.begin-cl.begin), size), unsafe.Slice(at[byte](e.begin), size))
		}
	}
	for slot := range c.slots {
		*at[uintptr](c.moved(slot)) = c.moved(word(slot))
	}
}
