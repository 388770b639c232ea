module perch.dev/lab/schema/types

go 1.26

require k8s.io/api v0.37.2
