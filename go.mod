module shmbench

go 1.26
