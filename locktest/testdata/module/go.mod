module example.com/mylock

go 1.26.0
