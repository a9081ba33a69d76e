package bench_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/internal/gobench"
	"shmbench/internal/topo"
	"shmbench/spin"
)

// TestMain puts before benchmarks what "go test" does not say: the rest of the
// configuration, and which direction is better.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		config := slices.DeleteFunc(topo.Describe(), func(p topo.Pair) bool { return p.Key == "goos" || p.Key == "goarch" })
		config = procsOf(config, flag.Lookup("test.cpu").Value.String())
		config = append(config, topo.Pair{Key: "wait", Value: spin.InUse().String()}, topo.Pair{Key: "pin", Value: "false"})
		if err := gobench.WriteHeader(os.Stdout, bench.Directions, config); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// procsOf corrects the GOMAXPROCS of a configuration by the flag -cpu, which is
// obeyed only once benchmarks run. Where the flag has several, each line says
// its own at the end of the benchmark's name, and the configuration none.
func procsOf(config []topo.Pair, cpu string) []topo.Pair {
	several := strings.Contains(cpu, ",")
	config = slices.DeleteFunc(slices.Clone(config), func(p topo.Pair) bool { return several && p.Key == "gomaxprocs" })
	for i := range config {
		if config[i].Key == "gomaxprocs" && cpu != "" {
			config[i].Value = cpu
		}
	}
	return config
}

func TestProcsOf(t *testing.T) {
	config := []topo.Pair{{Key: "cores", Value: "2"}, {Key: "gomaxprocs", Value: "2"}}
	require.Equal(t, config, procsOf(config, ""))
	require.Equal(t, "1", procsOf(config, "1")[1].Value)
	require.Equal(t, config[:1], procsOf(config, "1,2"))
	require.Equal(t, "2", config[1].Value)
}
