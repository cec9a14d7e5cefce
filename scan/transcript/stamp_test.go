package transcript

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFixedFormOfTimesIsReadAsAnyOther(t *testing.T) {
	var c clock
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`2026-0[12]-(01|29|3[012])T[0-2][34]:[06][45]:[0-6][0-9]([.,:][0-9/:]{3})Z|[0-9]{4}-[01][0-9]-[0-3][0-9][T ][0-2][0-9]:[0-6][0-9]:[0-6][0-9]([.,][0-9]{1,4})?(Z|z|\+01:00)?`).Draw(t, "time")
		want, _ := time.Parse(time.RFC3339Nano, raw)
		if got := parseTime([]byte(raw)); got != want {
			t.Fatalf("%s: got %v, want %v", raw, got, want)
		}
		if got := c.read([]byte(raw)); got != want {
			t.Fatalf("%s behind others: got %v, want %v", raw, got, want)
		}
	})
}
