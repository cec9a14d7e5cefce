package knowledge

import "strings"

// MarkerPrefix stands before the observation id in every artifact.
const MarkerPrefix = "self-learning:"

// MarkedID returns the observation id of a marker's value, or the empty text.
func MarkedID(value string) string {
	value = strings.Trim(strings.TrimSpace(value), "`\"'")
	id, ok := strings.CutPrefix(value, MarkerPrefix)
	if !ok {
		return ""
	}
	if i := strings.IndexFunc(id, func(r rune) bool { return !idRune(r) }); i >= 0 {
		if id[i] != ' ' && id[i] != ',' && id[i] != '`' && id[i] != '(' {
			return ""
		}
		id = id[:i]
	}
	return id
}

func idRune(r rune) bool {
	return r == '_' || r == '-' || r == '.' || (r >= '0' && r <= '9') || (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z')
}

// Marker writes the value by which an artifact names its observation.
func Marker(observation string) string { return MarkerPrefix + observation }
