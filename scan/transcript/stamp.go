package transcript

import "time"

// clock reads times of a session, most of which lie on the day of the one before.
type clock struct {
	date  [len("2026-01-02T")]byte
	begin time.Time // of that day
}

// read reads a time as parseTime does.
func (c *clock) read(raw []byte) time.Time {
	n := len(c.date)
	if len(raw) == n+len("03:04:05.678Z") && string(raw[:n]) == string(c.date[:]) {
		if t, ok := timeOfDay(raw[n:]); ok {
			return c.begin.Add(t)
		}
	}
	t, ok := parseUTC(raw)
	if !ok {
		return parseTime(raw)
	}
	past, _ := timeOfDay(raw[n:])
	c.date, c.begin = [len(c.date)]byte(raw), t.Add(-past)
	return t
}

// timeOfDay reads 03:04:05.678Z.
func timeOfDay(text []byte) (time.Duration, bool) {
	raw := (*[len("03:04:05.678Z")]byte)(text)
	if raw[2] != ':' || raw[5] != ':' || raw[8] != '.' || raw[12] != 'Z' {
		return 0, false
	}
	hour, ok := twoDigits(raw[0], raw[1])
	minute, ok2 := twoDigits(raw[3], raw[4])
	second, ok3 := twoDigits(raw[6], raw[7])
	ms, ok4 := twoDigits(raw[10], raw[11])
	if !ok || !ok2 || !ok3 || !ok4 || raw[9]-'0' > 9 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	ms += 100 * int64(raw[9]-'0')
	return time.Duration(((hour*60+minute)*60+second)*1000+ms) * time.Millisecond, true
}

func twoDigits(high, low byte) (int64, bool) {
	high, low = high-'0', low-'0'
	return int64(high)*10 + int64(low), max(high, low) < 10
}

// parseTime reads a time in the form of RFC 3339; what is none is the zero time.
func parseTime(raw []byte) time.Time {
	if t, ok := parseUTC(raw); ok {
		return t
	}
	if len(raw) == 0 || len(raw) > 64 {
		return time.Time{}
	}
	t, _ := time.Parse(time.RFC3339Nano, string(raw))
	return t
}

// parseUTC reads the form in which nearly all times stand in sessions,
// 2026-01-02T03:04:05.678Z. Of others it knows nothing.
func parseUTC(raw []byte) (time.Time, bool) {
	if len(raw) != len("2026-01-02T03:04:05.678Z") || raw[4] != '-' || raw[7] != '-' || raw[10] != 'T' {
		return time.Time{}, false
	}
	past, ok := timeOfDay(raw[11:])
	century, ok1 := twoDigits(raw[0], raw[1])
	year, ok2 := twoDigits(raw[2], raw[3])
	month, ok3 := twoDigits(raw[5], raw[6])
	day, ok4 := twoDigits(raw[8], raw[9])
	if !ok || !ok1 || !ok2 || !ok3 || !ok4 || month < 1 || month > 12 || day < 1 {
		return time.Time{}, false
	}
	begin := time.Date(int(century*100+year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
	return begin.Add(past), begin.Day() == int(day) // else the month has no such day
}
