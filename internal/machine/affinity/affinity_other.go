//go:build !linux

package affinity

// CPUs returns ErrUnsupported.
func CPUs() ([]int, error) { return nil, ErrUnsupported }

func locate(cpu int) Place { return Place{CPU: cpu, Core: cpu} }

// Pin returns ErrUnsupported.
func Pin(int) (unpin func(), err error) { return nil, ErrUnsupported }
