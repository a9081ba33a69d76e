package study

import (
	"context"
	"testing"
	"fmt"
	"time"
)

func TestQuick(t *testing.T) {
	p := Paper()
	t0:=time.Now()
	pts, err := p.Run(context.Background(), nil)
	fmt.Println(time.Since(t0), len(pts), err)
	for _, x := range pts { fmt.Printf("%-13s m=%-2d rate=%-5v msgs=%.3f±%.3f wait=%.4f±%.4f local=%.2f jain=%.3f byp=%d %v %s\n", x.Algorithm, x.Threads, x.Rate, float64(x.MessagesPerEntry), float64(x.MessagesPerEntryHalf), x.WaitingTime, x.WaitingTimeHalf, x.WithoutMessage, x.Jain, x.Bypass, x.End, x.Detail) }
}
