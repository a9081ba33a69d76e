package bounds

import "shmbench/shm"

// others are the bounds other than remote memory references by growth.
var others = []Bound{
	{Lock: "queue/ticketbackoff", Of: Bypass, Published: "n-1", At: shm.NMinus1.Of},
	{Lock: "queue/ticketbackoff", Of: Order, Published: "yes"},
	{Lock: "queue/ticketbackoff", Of: Coherent, Published: "O(n)"},
	{Lock: "queue/ticketbackoff", Of: Distributed, Published: shm.RMRUnbounded},
	{Lock: "queue/graunkethakkar", Of: Bypass, Published: "n-1", At: shm.NMinus1.Of},
	{Lock: "queue/graunkethakkar", Of: Order, Published: "yes"},
	{Lock: "queue/clhstandard", Of: Bypass, Published: "n-1", At: shm.NMinus1.Of},
	{Lock: "queue/clhstandard", Of: Order, Published: "yes"},
	{Lock: "queue/mcsh", Of: Order, Published: "yes"},
	{Lock: "queue/hemlock", Of: Order, Published: "yes"},
	{Lock: "queue/mcsswap", Of: Order, Published: "no"},
	{Lock: "queue/mcsswap", Of: Starvation, Published: "no"},
	{Lock: "queue/hapax", Of: Coherent, Published: shm.RMRUnbounded,
		Explained: "each exit writes the register that all waiting processes poll. At most n-1 exits come before an entry. Each n therefore has a bound, and no constant bounds all n"},
	{Lock: "queue/hapax", Of: Order, Published: "yes"},
	{Lock: "fcfs/lycklamahadzilacos", Of: Order, Published: "yes"},
	{Lock: "fcfs/lycklamahadzilacos", Of: Bypass, Published: "n-1", At: shm.NMinus1.Of},
	{Lock: "fcfs/lycklamahadzilacos", Of: Bits, Published: "5n", At: shm.Linear(5, 0).Of},
	{Lock: "fcfs/hesselink15", Of: Order, Published: "yes"},
	{Lock: "fcfs/hesselink15", Of: Bits, Published: "4n", At: shm.Linear(4, 0).Of},
	{Lock: "peterson/kessels", Of: Bypass, Published: "1", At: shm.Const(1).Of},
	{Lock: "peterson/blockwoo", Of: Bypass, Published: "n(n-1)/2", At: func(n int) int { return n * (n - 1) / 2 }},
	{Lock: "elevator/linear", Of: Bypass, Published: "n-1", At: shm.NMinus1.Of},
	{Lock: "elevator/linear", Of: Order, Published: "no"},
	{Lock: "bakery/bounded", Of: Order, Published: "yes"},
	{Lock: "bakery/bounded", Of: Bypass, Published: "n-1", At: shm.NMinus1.Of},
	{Lock: "bakery/boulangerie", Of: Order, Published: "yes"},
	{Lock: "tournament/petersonfischer", Of: Registers, Published: "n", At: shm.N.Of},
	{Lock: "tournament/petersonfischer", Of: Order, Published: "no"},
	{Lock: "burns/onebit", Of: Bits, Published: "n", At: shm.N.Of},
	{Lock: "numa/cbomcs", Of: Starvation, Published: "no"},
	{Lock: "numa/hbo", Of: Starvation, Published: "no"},
}
