package topo

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Where Linux tells about the machine; variables, for the tests.
var (
	cpuinfo = "/proc/cpuinfo"
	cpuDir  = "/sys/devices/system/cpu/cpu0"
)

// cpuModel returns the processor's name from /proc/cpuinfo as package testing has
// it, with its frequency. arm64 has only the numbers of the implementer and the part.
func cpuModel() string {
	fields := map[string]string{}
	for line := range strings.Lines(read(cpuinfo)) {
		key, value, ok := strings.Cut(line, ":")
		key = strings.ToLower(strings.TrimSpace(key))
		if _, seen := fields[key]; ok && !seen {
			fields[key] = strings.TrimSpace(value)
		}
	}
	name, mhz := fields["model name"], fields["cpu mhz"]
	switch {
	case name != "" && (mhz == "" || strings.Contains(name, "GHz") || strings.Contains(name, "MHz")):
		return name
	case name != "":
		return name + " @ " + mhz + "MHz"
	case fields["cpu part"] != "":
		return "implementer " + fields["cpu implementer"] + " part " + fields["cpu part"]
	}
	return ""
}

// caches describes the first processor's: "L1 data 32K, L2 unified 1024K,
// lines of 64".
func caches() string {
	dirs, _ := filepath.Glob(filepath.Join(cpuDir, "cache/index*"))
	var all []string
	line := ""
	for _, dir := range dirs {
		all = append(all, "L"+read(dir, "level")+" "+strings.ToLower(read(dir, "type"))+" "+read(dir, "size"))
		line = read(dir, "coherency_line_size")
	}
	if all == nil {
		return ""
	}
	return strings.Join(all, ", ") + ", lines of " + line
}

// governor returns what chooses the processor's frequency; virtual machines do
// not show it.
func governor() string { return read(cpuDir, "cpufreq/scaling_governor") }

func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}

// read returns the text of a file, empty if there is none.
func read(path ...string) string {
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// memoryNode returns the number of the node of memory that is nearest to a processor.
func memoryNode(cpu int) int {
	nodes, _ := filepath.Glob(filepath.Join(filepath.Dir(cpuDir), fmt.Sprint("cpu", cpu), "node[0-9]*"))
	if len(nodes) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(nodes[0]), "node"))
	return n
}
