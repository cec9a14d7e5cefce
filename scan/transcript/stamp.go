package transcript

import "time"

// clock reads times of a session, most of which lie in the minute of the one
// before.
type clock struct {
	minute [len("2026-01-02T03:04:")]byte
	begin  time.Time // of that minute
}

// read reads a time as parseTime does.
func (c *clock) read(raw []byte) time.Time {
	n := len(c.minute)
	if len(raw) == n+len("05.678Z") && string(raw[:n]) == string(c.minute[:]) {
		if second, ok := seconds(raw[n:]); ok {
			return c.begin.Add(second)
		}
	}
	t, ok := parseUTC(raw)
	if !ok {
		return parseTime(raw)
	}
	second, _ := seconds(raw[n:])
	c.minute, c.begin = [len(c.minute)]byte(raw), t.Add(-second)
	return t
}

// seconds reads 05.678Z.
func seconds(text []byte) (time.Duration, bool) {
	raw := [len("05.678Z")]byte(text)
	a, b, c, d, e := raw[0]-'0', raw[1]-'0', raw[3]-'0', raw[4]-'0', raw[5]-'0'
	if max(b, c, d, e) > 9 || a > 5 || raw[2] != '.' || raw[6] != 'Z' {
		return 0, false
	}
	ms := int64(a)*10000 + int64(b)*1000 + int64(c)*100 + int64(d)*10 + int64(e)
	return time.Duration(ms) * time.Millisecond, true
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
	if len(raw) != len("2026-01-02T03:04:05.678Z") || raw[4] != '-' || raw[7] != '-' || raw[10] != 'T' || raw[13] != ':' || raw[16] != ':' {
		return time.Time{}, false
	}
	second, ok := seconds(raw[17:])
	var parts [6]int // century, year, month, day, hour, minute
	for i, at := range [...]int{0, 2, 5, 8, 11, 14} {
		high, low := raw[at]-'0', raw[at+1]-'0'
		ok = ok && high < 10 && low < 10
		parts[i] = int(high)*10 + int(low)
	}
	month, day := parts[2], parts[3]
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 || parts[4] > 23 || parts[5] > 59 {
		return time.Time{}, false
	}
	t := time.Date(parts[0]*100+parts[1], time.Month(month), day, parts[4], parts[5], 0, 0, time.UTC).Add(second)
	return t, day < 29 || t.Day() == day // else the month has no such day
}
