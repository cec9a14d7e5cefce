package agent

import (
	"testing"
	"time"
)

func TestHookDeadline(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": time.Second, "soon": time.Second, "5": time.Second, "10ms": time.Second, "-5s": time.Second,
		"5s": 5 * time.Second, "1h": time.Minute,
	} {
		env := func(string) string { return value }
		if got := HookDeadline(env); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
