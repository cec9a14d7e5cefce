package observe

import (
	"fmt"
	"testing"
)

// bigLog is the log of some years: n observations, each from two sessions.
func bigLog(n int) *Log {
	l := &Log{}
	for i := range n {
		for session := range 2 {
			s := signal(session)
			s.Title, s.Fix = text(fmt.Sprint("title ", i)), text(fmt.Sprint("fix-", i))
			s.Evidence[0] = text(fmt.Sprint("quote ", i, session))
			l.Add(s, DefaultThresholds())
		}
	}
	return l
}

func BenchmarkParseLog(b *testing.B) {
	data := bigLog(1000).Bytes()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		ParseLog("log", data)
	}
}

func BenchmarkAddToLog(b *testing.B) {
	l := bigLog(1000)
	i := 0
	for b.Loop() {
		s := signal(3)
		s.Title, s.Fix = text(fmt.Sprint("title ", i%1000)), text(fmt.Sprint("fix-", i%1000))
		s.Evidence[0] = text(fmt.Sprint("quote ", i%1000, "again"))
		l.Add(s, DefaultThresholds())
		i++
	}
}
