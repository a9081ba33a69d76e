module shmbench/internal/tools

go 1.26.0

require (
	github.com/stretchr/testify v1.12.1
	golang.org/x/mod v0.42.0
	shmbench v0.0.0
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace shmbench => ../..
