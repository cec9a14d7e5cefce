package config

import "slices"

// protecting are the settings that protect this person or keep a trusted lesson in force,
// and whether more of them protects more: a greater number, or a word that comes later.
var protecting = map[string]bool{
	"maxAction": true, "injectionBudgetBytes": true, "maxLessonsPerInjection": true,
	"minConfidence": false, "minPriority": false, "compactionReinjectionThreshold": false, "scoringMode": false,
	"log": false,
}

// Weaker lists the settings that protect less in after than in before.
func Weaker(before, after Config) []string {
	var keys []string
	for _, s := range settings() {
		more, protects := protecting[s.key]
		if !protects {
			continue
		}
		was, is := s.degree(before), s.degree(after)
		if more && is < was || !more && is > was {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// degree is how much of a setting there is.
func (s setting) degree(c Config) float64 {
	field := s.field(&c)
	switch {
	case s.words != nil:
		return float64(slices.Index(s.words, field.String()))
	case field.CanInt():
		return float64(field.Int())
	}
	return field.Float()
}

// Withhold returns settings that nobody reviewed as they hold: those that would protect
// less than before stay as they were, and are named.
func Withhold(before, after Config) (Config, []string) {
	keys := Weaker(before, after)
	for _, s := range settings() {
		if slices.Contains(keys, s.key) {
			s.field(&after).Set(s.field(&before))
		}
	}
	return after, keys
}
