// Package config reads and writes settings.
package config

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/score"
)

// Setting is one setting with its value as text.
type Setting struct {
	Key   string `json:"key"` // such as minConfidence or thresholds.decision.required
	Value string `json:"value"`
	About string `json:"about"`
	User  bool   `json:"user,omitempty"` // read from a person's own file only

	Words []string `json:"-"` // that it can be; nil: anything of its kind
}

// setting knows how one setting is read, written and checked.
type setting struct {
	key      string   // the names in JSON on the way to the field of Config
	about    string   // one sentence for a person
	min, max float64  // of numbers
	words    []string // allowed words; nil: any
	user     bool     // read from a person's own file only
}

// settings lists every setting in the order in which they are shown.
func settings() []setting {
	word := func(key, about string, words ...string) setting {
		return setting{key: key, about: about, words: words}
	}
	number := func(key, about string, min, max float64) setting {
		return setting{key: key, about: about, min: min, max: max}
	}
	list := []setting{
		word("layout", "How decisions and pitfalls are stored: in two books, or in one file each, so that branches that add some never conflict. init writes files, unless there are books.", string(entry.LayoutBook), string(entry.LayoutFiles)),
		word("log", "Whether the log of observations stays in the git directory (ignored) or is committed.", "ignored", "committed"),
		number("injectionBudgetBytes", "How many bytes of lessons an agent is shown at one call, at most.", 0, 10_000),
		number("maxLessonsPerInjection", "How many lessons an agent is shown at one call, at most.", 0, 100),
		number("minConfidence", "Lessons below this confidence are stored as drafts and not shown.", 0, 1),
		number("minPriority", "Lessons below this priority are not shown.", 1, 10),
		number("compactionReinjectionThreshold", "Lessons from this priority on are shown again after compaction.", 1, 11),
		word("maxAction", "The strongest action that a lesson may take. An action beyond it becomes this one; guards, which have require, are not limited, unless it is inform.", lesson.ActionInform, lesson.ActionStopOnce, lesson.ActionAsk, lesson.ActionDeny, lesson.ActionRewrite),
		number("ask", "How often a session's agent is asked, at most, whether what just happened holds for later; 0 never asks.", 0, 10),
		number("holdout", "Each lesson is withheld from so many of a hundred sessions, so that lessons stats can tell what lessons prevent; 0 withholds nothing. Guards and critical lessons are always shown.", 0, 50),
		number("autoScanIntervalHours", "When a session starts and the last scan is older than so many hours, what was missed is scanned.", 0, 8760),
		number("maxCandidatesPerScan", "How many findings one scan takes in, at most.", 1, 10_000),
		number("analyzeAfter", "After so many tool calls of a session, lessons looks for patterns in how calls end.", 5, 10_000),
		word("scoringMode", "How the lessons of a call are chosen and ranked: by their triggers (match), or by a weighted sum (seed).", scoringMatch, scoringSeed),
	}
	for weight := range reflect.TypeFor[score.Weights]().Fields() {
		list = append(list, number("scoring."+weight.Tag.Get("json"), "What this adds to the priority or the confidence (percent) of a lesson.", -100, 100))
	}
	for _, typ := range []knowledge.Type{knowledge.Workflow, knowledge.Procedural, knowledge.Decision, knowledge.Pitfall} {
		group := "thresholds." + string(typ) + "."
		list = append(list,
			number(group+"required", "In how many sessions it must have been seen for full confidence.", 1, 1000),
			number(group+"spreadDays", "How many days must lie between the first and the last session.", 0, 3650),
			number(group+"promote", "From which confidence on it is written.", 0, 1),
		)
	}
	list = append(list,
		number("softStart", "From so many active entries of one kind on, render says that there are many.", 0, 100_000),
		number("ceiling", "At so many active entries of one kind, render adds no more.", 1, 100_000),
		number("aggregateAt", "So many active lessons about one tool are put together as a skill; 0 never does that.", 0, 1000),
		number("batch", "The model step waits for so many sessions.", 1, 100),
		number("batchLarge", "With 15 observations or more, the model step waits for so many sessions.", 1, 100),
		setting{key: "publish", about: "Which agents' folders get copies of skills. If none is named: those of the agents in use here."},
		setting{key: "publishTo", about: "Where lessons publish writes: agents-md, claude, cursor, copilot. If none is named, it writes nowhere."},
	)
	return append(list, userSettings...)
}

// userSettings lists what a repository must not set: it would decide about a
// person's files, programs and money.
var userSettings = []setting{
	{key: "scanPaths", about: "More folders in which to look for transcripts.", user: true},
	{key: "learnCommand", about: "The program of the model step, with its arguments. It gets the prompt on standard input; {model} stands for the model. If none is named, an installed agent is asked.", user: true},
	{key: "learnTimeout", about: "How many seconds one answer of the model may take.", user: true, min: 1, max: 3600},
	{key: "model", about: "The model that the model step asks.", user: true},
	{key: "dailyCap", about: "How often the model step runs in a day, at most.", user: true, max: 1000},
	{key: "debug", about: "Whether hooks write to hooks.log in the git directory what they decided and how long it took.", user: true},
}

// field is the setting's value in c.
func (s setting) field(c *Config) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	for name := range strings.SplitSeq(s.key, ".") {
		for field, value := range v.Fields() {
			if field.Tag.Get("json") == name {
				v = value
				break
			}
		}
	}
	return v
}

// set reads a JSON value into the setting, or says what it must be.
func (s setting) set(c *Config, value json.RawMessage) error {
	switch field := s.field(c); field.Kind() {
	case reflect.Bool:
		return s.decode(value, field.Addr().Interface(), "true or false")
	case reflect.String:
		return s.setWord(value, field)
	case reflect.Slice:
		list := []string{}
		if err := s.decode(value, &list, "a list of texts"); err != nil {
			return err
		}
		field.Set(reflect.ValueOf(list))
	default:
		n, err := s.number(value, field.CanInt())
		if err != nil {
			return err
		}
		field.Set(reflect.ValueOf(n).Convert(field.Type()))
	}
	return nil
}

func (s setting) setWord(value json.RawMessage, into reflect.Value) error {
	var word string
	if err := s.decode(value, &word, "a text"); err != nil {
		return err
	}
	if s.words != nil && !slices.Contains(s.words, word) {
		return fmt.Errorf("%s is %q, but must be one of %s", s.key, word, strings.Join(s.words, ", "))
	}
	into.SetString(word)
	return nil
}

// decode refuses null, which encoding/json takes for any type.
func (s setting) decode(value json.RawMessage, into any, what string) error {
	if string(value) == "null" || json.Unmarshal(value, into) != nil {
		return fmt.Errorf("%s must be %s", s.key, what)
	}
	return nil
}

func (s setting) number(value json.RawMessage, whole bool) (float64, error) {
	what := fmt.Sprintf("a number from %v to %v", s.min, s.max)
	if whole {
		what = "a whole number" + strings.TrimPrefix(what, "a number")
	}
	var n float64
	if err := s.decode(value, &n, what); err != nil {
		return 0, err
	}
	if n < s.min || n > s.max || (whole && n != math.Trunc(n)) {
		return 0, fmt.Errorf("%s must be %s", s.key, what)
	}
	return n, nil
}

// text returns the setting's value as JSON, words without quotes.
func (s setting) text(c *Config) string {
	field := s.field(c)
	if field.Kind() == reflect.String {
		return field.String()
	}
	return string(fields.JSON(field.Interface()))
}

// allowed are the words that a setting can be, if they are few.
func (s setting) allowed(c *Config) []string {
	if s.field(c).Kind() == reflect.Bool {
		return []string{"true", "false"}
	}
	return s.words
}

// Settings lists all settings with their values, in a fixed order.
func (c Config) Settings() []Setting {
	return lists.Map(settings(), func(s setting) Setting { return Setting{s.key, s.text(&c), s.about, s.user, s.allowed(&c)} })
}

func settingOf(key string) (setting, bool) {
	parts := strings.Split(key, ".")
	for i := range parts {
		parts[i] = prose.CamelCase(parts[i])
	}
	return lists.Find(settings(), func(s setting) bool { return s.key == strings.Join(parts, ".") })
}
