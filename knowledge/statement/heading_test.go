package statement

import "testing"

func TestHeading(t *testing.T) {
	for decision, want := range map[string]string{
		"We went with table-driven tests everywhere":   "Go with table-driven tests everywhere",
		"I've decided against GraphQL":                 "Decided against GraphQL",
		"I've decided to drop windows support":         "Drop windows support",
		"We have decided not to support IE":            "Do not support IE",
		"we agreed to squash on merge":                 "Squash on merge",
		"We go for kafka":                              "Go for kafka",
		"We're going with Vite":                        "Go with Vite",
		"We stay with plain SQL":                       "Stay with plain SQL",
		"we'll use pnpm":                               "Use pnpm",
		"We use Postgres where we can":                 "Use Postgres where we can",
		"We settled on ULIDs":                          "Settle on ULIDs",
		"I picked sqlc over gorm":                      "Pick sqlc over gorm",
		"Not use floats for money":                     "Do not use floats for money",
		"Not Redis but Postgres":                       "Not Redis but Postgres",
		"I'd rather have one config file than three":   "I'd rather have one config file than three",
		"I want the instructions to live in AGENTS.md": "I want the instructions to live in AGENTS.md",
		"We need two queues":                           "We need two queues",
		"We used Redis before":                         "We used Redis before",
		"The API went with v2":                         "The API went with v2",
		"Money is integer cents":                       "Money is integer cents",
	} {
		if got := Heading(decision); got != want {
			t.Errorf("%q: %q, want %q", decision, got, want)
		}
	}
}

func TestReason(t *testing.T) {
	for text, want := range map[string]string{
		"they are easier to extend, so please follow that":             "they are easier to extend",
		"they are easier to extend, so please stick to it from now on": "they are easier to extend",
		"they are easier to extend so let's keep it that way":          "they are easier to extend",
		"they are easier to extend, and please remember that":          "they are easier to extend",
		"they are easier to extend. Thanks!":                           "they are easier to extend",
		"they are easier to extend, ok?":                               "they are easier to extend",
		"they are easier to extend, please do that always, thank you":  "they are easier to extend",
		"it is slow, so keep the cache":                                "it is slow, so keep the cache",
		"it is slow, as is everything else":                            "it is slow, as is everything else",
		"the box is small, so that it fits":                            "the box is small, so that it fits",
		"we can, always":                                               "we can, always",
		"thanks":                                                       "thanks",
		"":                                                             "",
	} {
		if got := Reason(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
