package statement

import "testing"

func TestAlike(t *testing.T) {
	const utc = "Dates are stored as UTC. store dates as UTC"
	for other, want := range map[string]bool{
		"Store dates as UTC in the database. every date is stored as UTC": true,
		"Store dates in local time. every date is stored in local time":   true,
		"Never store dates as UTC. store dates in the zone of the shop":   true,
		"Money is integer cents. amounts are stored as int cents":         false,
		"Dates in file names are sorted. file names begin with the year":  false,
		"The queue is PostgreSQL. jobs are rows of a table":               false,
	} {
		if got := Alike(utc, other); got != want || Alike(other, utc) != want {
			t.Errorf("%q: %v", other, got)
		}
	}
	if Alike("Use Postgres for sessions. sessions are rows of Postgres", "Use Redis for rate limits. limits are counted in Redis") {
		t.Error("two stores for two things are alike")
	}
	if !Alike("Use Postgres for sessions. sessions are rows of Postgres", "Use Redis for sessions. sessions are keys of Redis, not Postgres") {
		t.Error("two stores for one thing are not alike")
	}
}
