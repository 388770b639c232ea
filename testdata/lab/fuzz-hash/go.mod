module perch.dev/lab/fuzz-hash

go 1.26

require (
	github.com/davecgh/go-spew v1.1.1
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
	sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730
)
