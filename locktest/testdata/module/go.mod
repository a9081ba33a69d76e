module example.com/mylock

go 1.26.0

require shmbench v0.0.0
