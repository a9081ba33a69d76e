package machines

// What New finds and changes of the package's own.
var (
	numbers = []int{1}
	perLock = map[string]int{"locks": 1}
	howMany int
)

// NewCounted is a lock that has in x how many were built, as each variable counts them.
func NewCounted(int) *Plain {
	numbers[0]++
	perLock["locks"]++
	howMany++
	return &Plain{x: 100*numbers[0] + 10*perLock["locks"] + howMany}
}
