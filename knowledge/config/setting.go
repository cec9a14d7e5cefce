// Package config reads and writes settings.
package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/score"
)

// Setting is one setting with its value as text.
type Setting struct {
	Key   string `json:"key"` // such as minConfidence or thresholds.decision.required
	Value string `json:"value"`
}

// setting knows how one setting is read, written and checked.
type setting struct {
	key      string
	about    string              // one sentence for a person
	min, max float64             // of numbers
	words    []string            // allowed words; nil: any
	user     bool                // read from a person's own file only
	field    func(c *Config) any // pointer to the value
}

// settings lists every setting in the order in which they are shown.
func settings() []setting {
	word := func(key, about string, field func(c *Config) any, words ...string) setting {
		return setting{key: key, about: about, words: words, field: field}
	}
	number := func(key, about string, min, max float64, field func(c *Config) any) setting {
		return setting{key: key, about: about, min: min, max: max, field: field}
	}
	list := []setting{
		word("layout", "How entries are stored: two books, or one file for each entry, so that branches that add entries never conflict.", func(c *Config) any { return &c.Layout }, string(entry.LayoutBook), string(entry.LayoutFiles)),
		word("log", "Whether the log of observations stays in the git directory or is committed.", func(c *Config) any { return &c.Log }, "ignored", "committed"),
		number("injectionBudgetBytes", "Most bytes of lessons shown at one call.", 0, 10_000, func(c *Config) any { return &c.InjectionBudgetBytes }),
		number("maxLessonsPerInjection", "Most lessons shown at one call.", 0, 100, func(c *Config) any { return &c.MaxLessonsPerInjection }),
		number("minConfidence", "Lessons below this confidence are stored as drafts and not shown.", 0, 1, func(c *Config) any { return &c.MinConfidence }),
		number("minPriority", "Lessons below this priority are not shown.", 1, 10, func(c *Config) any { return &c.MinPriority }),
		number("compactionReinjectionThreshold", "Lessons from this priority on are shown again after compaction.", 1, 11, func(c *Config) any { return &c.CompactionReinjectionThreshold }),
		word("maxAction", "The strongest action that a lesson may take.", func(c *Config) any { return &c.MaxAction }, lesson.ActionInform, lesson.ActionStopOnce, lesson.ActionAsk, lesson.ActionDeny, lesson.ActionRewrite),
		number("ask", "How often a session's agent is asked, at most, whether what just happened holds for later; 0 never asks.", 0, 10, func(c *Config) any { return &c.Ask }),
		number("autoScanIntervalHours", "Hours after which a session start scans what was missed.", 0, 8760, func(c *Config) any { return &c.AutoScanIntervalHours }),
		number("maxCandidatesPerScan", "Most candidates that one scan takes.", 1, 10_000, func(c *Config) any { return &c.MaxCandidatesPerScan }),
		word("scoringMode", "How the lessons of a call are chosen and ranked: by what their triggers declare, or by the weighted sum of the first formula.", func(c *Config) any { return &c.ScoringMode }, scoringMatch, scoringSeed),
	}
	list = append(list, weightSettings()...)
	for _, typ := range []knowledge.Type{knowledge.Workflow, knowledge.Procedural, knowledge.Decision, knowledge.Pitfall} {
		list = append(list, thresholdSettings(typ)...)
	}
	list = append(list,
		number("softStart", "Active entries of one kind from which render gives notice.", 0, 100_000, func(c *Config) any { return &c.SoftStart }),
		number("ceiling", "Active entries of one kind at which render adds no more.", 1, 100_000, func(c *Config) any { return &c.Ceiling }),
		number("aggregateAt", "Active lessons about one tool that are put together as a skill; 0 never does.", 0, 1000, func(c *Config) any { return &c.AggregateAt }),
		number("batch", "Sessions that the model step waits for.", 1, 100, func(c *Config) any { return &c.Batch }),
		number("batchLarge", "Sessions that it waits for from 15 observations on.", 1, 100, func(c *Config) any { return &c.BatchLarge }),
		setting{key: "publish", about: "Agents whose folders get copies of skills; none named: those in use here.", field: func(c *Config) any { return &c.Publish }},
	)
	return append(list, userSettings()...)
}

// userSettings lists what a repository must not set: it would decide about a
// person's files, programs and money.
func userSettings() []setting {
	return []setting{
		{key: "scanPaths", about: "Further folders with transcripts.", user: true, field: func(c *Config) any { return &c.ScanPaths }},
		{key: "learnCommand", about: "Program and arguments of the model step: the prompt comes on standard input, {model} stands for the model; none: an installed agent.", user: true, field: func(c *Config) any { return &c.LearnCommand }},
		{key: "learnTimeout", about: "Seconds that one answer of the model may take.", user: true, min: 1, max: 3600, field: func(c *Config) any { return &c.LearnTimeout }},
		{key: "model", about: "Model of the model step.", user: true, field: func(c *Config) any { return &c.Model }},
		{key: "dailyCap", about: "Most runs of the model step a day.", user: true, max: 1000, field: func(c *Config) any { return &c.DailyCap }},
		{key: "debug", about: "Whether to write a log of the tool's own work.", user: true, field: func(c *Config) any { return &c.Debug }},
	}
}

// weightSettings lists the weights by their JSON names.
func weightSettings() []setting {
	var list []setting
	t := reflect.TypeFor[score.Weights]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list = append(list, setting{key: "scoring." + name, about: "A term of the scores of a lesson.", min: -100, max: 100, field: func(c *Config) any {
			return reflect.ValueOf(&c.Weights).Elem().Field(i).Addr().Interface()
		}})
	}
	return list
}

func thresholdSettings(typ knowledge.Type) []setting {
	prefix := "thresholds." + string(typ) + "."
	return []setting{
		{key: prefix + "required", about: "Sessions for full confidence.", min: 1, max: 1000, field: func(c *Config) any { return &thresholdField{c, typ, "required"} }},
		{key: prefix + "spreadDays", about: "Days that must lie between first and last sight.", min: 0, max: 3650, field: func(c *Config) any { return &thresholdField{c, typ, "spreadDays"} }},
		{key: prefix + "promote", about: "Least confidence of what is rendered.", min: 0, max: 1, field: func(c *Config) any { return &thresholdField{c, typ, "promote"} }},
	}
}

// thresholdField is a place in the map of thresholds, whose values have no
// address.
type thresholdField struct {
	c    *Config
	typ  knowledge.Type
	name string
}

func (f thresholdField) get() float64 {
	th := f.c.Thresholds.Of(f.typ)
	switch f.name {
	case "required":
		return float64(th.Required)
	case "spreadDays":
		return float64(th.SpreadDays)
	}
	return th.Promote
}

func (f thresholdField) set(value float64) {
	th := f.c.Thresholds.Of(f.typ)
	switch f.name {
	case "required":
		th.Required = int(value)
	case "spreadDays":
		th.SpreadDays = int(value)
	default:
		th.Promote = value
	}
	f.c.Thresholds[f.typ] = th
}

func (f thresholdField) whole() bool { return f.name != "promote" }

// set reads a JSON value into the setting, or says what it must be.
func (s setting) set(c *Config, value json.RawMessage) error {
	switch into := s.field(c).(type) {
	case *bool:
		return s.decode(value, into, "true or false")
	case *string:
		return s.setWord(value, into)
	case *entry.Layout:
		return s.setWord(value, (*string)(into))
	case *[]string:
		list := []string{}
		if err := s.decode(value, &list, "a list of texts"); err != nil {
			return err
		}
		*into = list
	case *int:
		n, err := s.number(value, true)
		if err == nil {
			*into = int(n)
		}
		return err
	case *float64:
		n, err := s.number(value, false)
		if err == nil {
			*into = n
		}
		return err
	case *thresholdField:
		n, err := s.number(value, into.whole())
		if err == nil {
			into.set(n)
		}
		return err
	}
	return nil
}

func (s setting) setWord(value json.RawMessage, into *string) error {
	var word string
	if err := s.decode(value, &word, "a text"); err != nil {
		return err
	}
	if s.words != nil && !slices.Contains(s.words, word) {
		return fmt.Errorf("%s is %q, but must be one of %s", s.key, word, strings.Join(s.words, ", "))
	}
	*into = word
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
	switch v := s.field(c).(type) {
	case *bool:
		return strconv.FormatBool(*v)
	case *string:
		return *v
	case *entry.Layout:
		return string(*v)
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return strconv.FormatFloat(*v, 'f', -1, 64)
	case *thresholdField:
		return strconv.FormatFloat(v.get(), 'f', -1, 64)
	case *[]string:
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(*v) // texts always encode
		return strings.TrimSpace(b.String())
	}
	return ""
}

// Settings lists all settings with their values, in a fixed order.
func (c Config) Settings() []Setting {
	c.Thresholds = c.Thresholds.Clone()
	return lists.Map(settings(), func(s setting) Setting { return Setting{s.key, s.text(&c)} })
}

func settingOf(key string) (setting, bool) {
	parts := strings.Split(key, ".")
	for i := range parts {
		parts[i] = prose.CamelCase(parts[i])
	}
	for _, s := range settings() {
		if s.key == strings.Join(parts, ".") {
			return s, true
		}
	}
	return setting{}, false
}
