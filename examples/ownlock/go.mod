module example.com/ownlock

go 1.26.0

require shmbench v0.0.0

// shmbench is in no repository from which the go command could fetch it: it reads
// this checkout instead. A clone elsewhere needs the path of its own checkout here.
replace shmbench => ../..

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
