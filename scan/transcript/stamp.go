package transcript

import "time"

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
// 2026-01-02T03:04:05.678Z. Of others, and of days that only some months have,
// it knows nothing.
func parseUTC(raw []byte) (time.Time, bool) {
	const form = "dddd-dd-ddTdd:dd:dd.dddZ"
	if len(raw) != len(form) {
		return time.Time{}, false
	}
	for i, c := range raw {
		switch form[i] {
		case 'd':
			if c < '0' || c > '9' {
				return time.Time{}, false
			}
		case c:
		default:
			return time.Time{}, false
		}
	}
	two := func(at int) int { return int(raw[at]-'0')*10 + int(raw[at+1]-'0') }
	month, day, hour, minute, second := two(5), two(8), two(11), two(14), two(17)
	if month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	ms := two(20)*10 + int(raw[22]-'0')
	return time.Date(two(0)*100+two(2), time.Month(month), day, hour, minute, second, ms*1e6, time.UTC), true
}
