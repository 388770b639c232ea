module lab/access/proxy

go 1.26.0
