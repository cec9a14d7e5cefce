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
		word("layout", "How entries are stored: two books, or one file for each entry, so that branches that add entries never conflict.", string(entry.LayoutBook), string(entry.LayoutFiles)),
		word("log", "Whether the log of observations stays in the git directory or is committed.", "ignored", "committed"),
		number("injectionBudgetBytes", "Most bytes of lessons shown at one call.", 0, 10_000),
		number("maxLessonsPerInjection", "Most lessons shown at one call.", 0, 100),
		number("minConfidence", "Lessons below this confidence are stored as drafts and not shown.", 0, 1),
		number("minPriority", "Lessons below this priority are not shown.", 1, 10),
		number("compactionReinjectionThreshold", "Lessons from this priority on are shown again after compaction.", 1, 11),
		word("maxAction", "The strongest action that a lesson may take.", lesson.ActionInform, lesson.ActionStopOnce, lesson.ActionAsk, lesson.ActionDeny, lesson.ActionRewrite),
		number("ask", "How often a session's agent is asked, at most, whether what just happened holds for later; 0 never asks.", 0, 10),
		number("holdout", "Of a hundred sessions, from how many each lesson is withheld, so that lessons stats can tell what lessons prevent; 0 withholds nothing. Guards and critical lessons are always told.", 0, 50),
		number("autoScanIntervalHours", "Hours after which a session start scans what was missed.", 0, 8760),
		number("maxCandidatesPerScan", "Most candidates that one scan takes.", 1, 10_000),
		number("analyzeAfter", "Tool calls of a session after which patterns in how calls end are looked for.", 5, 10_000),
		word("scoringMode", "How the lessons of a call are chosen and ranked: by what their triggers declare, or by the weighted sum of the first formula.", scoringMatch, scoringSeed),
	}
	for weight := range reflect.TypeFor[score.Weights]().Fields() {
		list = append(list, number("scoring."+weight.Tag.Get("json"), "A term of the scores of a lesson.", -100, 100))
	}
	for _, typ := range []knowledge.Type{knowledge.Workflow, knowledge.Procedural, knowledge.Decision, knowledge.Pitfall} {
		group := "thresholds." + string(typ) + "."
		list = append(list,
			number(group+"required", "Sessions for full confidence.", 1, 1000),
			number(group+"spreadDays", "Days that must lie between first and last sight.", 0, 3650),
			number(group+"promote", "Least confidence of what is rendered.", 0, 1),
		)
	}
	list = append(list,
		number("softStart", "Active entries of one kind from which render gives notice.", 0, 100_000),
		number("ceiling", "Active entries of one kind at which render adds no more.", 1, 100_000),
		number("aggregateAt", "Active lessons about one tool that are put together as a skill; 0 never does.", 0, 1000),
		number("batch", "Sessions that the model step waits for.", 1, 100),
		number("batchLarge", "Sessions that it waits for from 15 observations on.", 1, 100),
		setting{key: "publish", about: "Agents whose folders get copies of skills; none named: those in use here."},
		setting{key: "publishTo", about: "Files to which lessons publish writes what is active: agents-md, claude, cursor, copilot; none named: none."},
	)
	return append(list, userSettings...)
}

// userSettings lists what a repository must not set: it would decide about a
// person's files, programs and money.
var userSettings = []setting{
	{key: "scanPaths", about: "Further folders with transcripts.", user: true},
	{key: "learnCommand", about: "Program and arguments of the model step: the prompt comes on standard input, {model} stands for the model; none: an installed agent.", user: true},
	{key: "learnTimeout", about: "Seconds that one answer of the model may take.", user: true, min: 1, max: 3600},
	{key: "model", about: "Model of the model step.", user: true},
	{key: "dailyCap", about: "Most runs of the model step a day.", user: true, max: 1000},
	{key: "debug", about: "Whether hooks write what they decided, and how long it took, into hooks.log in the git directory.", user: true},
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
