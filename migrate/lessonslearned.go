package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// lessonsLearned reads what the lessons-learned plugin wrote: the manifest that
// its hooks read, its store, the output of list --json, or its database.
var lessonsLearned = Format{
	Name: "lessons-learned", About: "the lessons-learned plugin: its manifest, its store, list --json, or its SQLite database",
	Places: []string{"data/lesson-manifest.json", "data/lessons.json", ".lessons-learned/lessons.json"},
	Takes:  extension(".json", ".db", ".sqlite", ".sqlite3"),
	Detect: func(_ string, head []byte) bool {
		return bytes.Contains(head, []byte(`"lessons-learned-manifest"`)) ||
			bytes.Contains(head, []byte(`"problem"`)) && bytes.Contains(head, []byte(`"solution"`)) && bytes.Contains(head, []byte(`"toolNames"`))
	},
	read:   readLessonsLearned,
	Tables: []string{"lessons"},
}

// learned is a record in any of the plugin's forms.
type learned struct {
	ID              string          `json:"id"`
	Slug            string          `json:"slug"`
	Status          string          `json:"status"`
	Type            string          `json:"type"`
	Summary         string          `json:"summary"`
	Problem         string          `json:"problem"`
	Mistake         string          `json:"mistake"`
	Solution        string          `json:"solution"`
	Remediation     string          `json:"remediation"`
	Tools           texts           `json:"toolNames"`
	Commands        texts           `json:"commandPatterns"`
	Paths           texts           `json:"pathPatterns"`
	Models          texts           `json:"modelPatterns"`
	CommandSources  []regexpSource  `json:"commandRegexSources"`
	PathSources     []regexpSource  `json:"pathRegexSources"`
	ModelSources    []regexpSource  `json:"modelRegexSources"`
	Target          string          `json:"commandMatchTarget"`
	Triggers        *learnedTrigger `json:"triggers"`
	Tags            texts           `json:"tags"`
	Scope           string          `json:"scope"`
	Priority        json.Number     `json:"priority"`
	Confidence      *json.Number    `json:"confidence"`
	OccurrenceCount json.Number     `json:"occurrenceCount"`
	SessionCount    json.Number     `json:"sessionCount"`
	CreatedAt       string          `json:"createdAt"`
	UpdatedAt       string          `json:"updatedAt"`
	DuplicatedBy    string          `json:"duplicatedBy"`
	Requires        json.RawMessage `json:"requires"`
}

type regexpSource struct {
	Source string `json:"source"`
	Flags  string `json:"flags"`
}

type learnedTrigger struct {
	Tools    texts `json:"toolNames"`
	Commands texts `json:"commandPatterns"`
	Paths    texts `json:"pathPatterns"`
	Content  texts `json:"contentPatterns"`
}

// texts is a list of texts, which a column of a database holds as JSON.
type texts []string

func (t *texts) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		if !strings.HasPrefix(text, "[") {
			*t = texts{text}
			return nil
		}
		data = []byte(text)
	}
	return json.Unmarshal(data, (*[]string)(t))
}

func readLessonsLearned(f *file) {
	if !f.isJSON() {
		return
	}
	list, reason := learnedRecords(f)
	if reason != "" {
		f.refuseAll(1, reason)
		return
	}
	for e, l := range decoded[learned](f, list, "record") {
		l.ID = cmp.Or(l.ID, cmp.Or(e.Key, l.Slug))
		l.flatten()
		if reason := l.refusal(); reason != "" {
			f.refuse(e.Line, l.ID, reason)
			continue
		}
		f.add(l.things(f.source(e.Line, l.ID))...)
	}
}

// learnedRecords finds the list of records in any of the forms.
func learnedRecords(f *file) ([]element, string) {
	const none = "it holds no lessons: there is neither a list of them nor a member \"lessons\""
	all := json.RawMessage(f.data)
	if bytes.HasPrefix(bytes.TrimSpace(f.data), []byte("{")) {
		var file struct {
			Version json.Number
			Lessons json.RawMessage
			Tables  map[string]json.RawMessage
			Problem string
		}
		if err := json.Unmarshal(f.data, &file); err != nil {
			return nil, none
		}
		switch {
		case file.Lessons != nil:
			all = file.Lessons
		case file.Tables["lessons"] != nil:
			all = file.Tables["lessons"]
		case file.Problem != "":
			return []element{{Line: 1, Data: f.data}}, ""
		default:
			return nil, none
		}
		if v, err := file.Version.Int64(); err == nil && v > 1 {
			return nil, fmt.Sprintf("its version is %d, and 1 is the newest that is known", v)
		}
	}
	list, err := f.elements(all)
	switch {
	case err != nil:
		return nil, none
	case len(list) == 0:
		return nil, "it holds no lesson"
	case !slices.ContainsFunc(list, isLearned):
		return nil, none
	}
	return list, ""
}

// isLearned says whether an element has a member that every record has.
func isLearned(e element) bool {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(e.Data, &members) // nil if it is no object
	return slices.ContainsFunc([]string{"problem", "mistake", "solution", "summary"}, func(name string) bool { return members[name] != nil })
}

// flatten brings the older forms into one.
func (l *learned) flatten() {
	l.Problem, l.Solution = cmp.Or(l.Problem, l.Mistake), cmp.Or(l.Solution, l.Remediation)
	if t := l.Triggers; t != nil {
		l.Tools, l.Commands, l.Paths = append(l.Tools, t.Tools...), append(l.Commands, t.Commands...), append(l.Paths, t.Paths...)
	}
	l.CommandSources = append(l.CommandSources, lists.Map(l.Commands, func(c string) regexpSource { return regexpSource{Source: c} })...)
	l.PathSources = append(l.PathSources, lists.Map(l.Paths, func(p string) regexpSource { return regexpSource{Source: p} })...)
}

func (l *learned) refusal() string {
	switch {
	case prose.OneLine(l.Summary) == "" && prose.OneLine(l.Problem) == "":
		return "it has neither a summary nor a problem"
	case prose.OneLine(l.Problem) == "" && prose.OneLine(l.Solution) == "":
		return "it has neither a problem nor a solution"
	case l.DuplicatedBy != "":
		return "it is a duplicate of " + l.DuplicatedBy
	}
	return ""
}

// things makes one lesson of a record, or two: one that is about commands or
// files fires on either, while every slot of one of ours has to match.
func (l *learned) things(from Source) []Thing {
	commands := slices.DeleteFunc(slices.Clone(l.Tools), func(tool string) bool { return !runsCommands(tool) })
	files := slices.DeleteFunc(slices.Clone(l.Tools), runsCommands)
	one := func(suffix string, tools []string, commands, paths []regexpSource, note string) Thing {
		at := from
		at.ID += suffix
		t := l.thing(at, tools, commands, paths)
		if note != "" {
			t.note("%s", note)
		}
		return t
	}
	switch {
	case len(l.CommandSources) == 0 || len(l.PathSources) == 0:
		return []Thing{one("", l.Tools, l.CommandSources, l.PathSources, "")}
	case len(commands) == 0:
		return []Thing{one("", l.Tools, nil, l.PathSources, "its patterns of commands are left out: none of its tools runs any")}
	case len(files) == 0:
		return []Thing{one("", l.Tools, l.CommandSources, nil, "its patterns of paths are left out: its tools are about commands")}
	}
	const divided = "divided in two: one about commands, one about files"
	return []Thing{one("#commands", commands, l.CommandSources, nil, divided), one("#files", files, nil, l.PathSources, divided)}
}

func runsCommands(tool string) bool { return tool == "Bash" || tool == "PowerShell" }

// learnedKinds are kind and action by the plugin's types.
var learnedKinds = map[string]struct {
	kind   lesson.Kind
	action string
}{
	"hint": {lesson.Warning, lesson.ActionAuto}, "guard": {lesson.Warning, lesson.ActionDeny},
	"directive": {lesson.Requirement, lesson.ActionInform}, "protocol": {lesson.Pattern, lesson.ActionInform},
}

func (l *learned) thing(from Source, tools []string, commands, paths []regexpSource) Thing {
	form, ok := learnedKinds[l.Type]
	if !ok {
		form = learnedKinds["hint"]
	}
	t := Thing{
		Source: from, Title: prose.OneLine(cmp.Or(l.Summary, l.Problem)), Scope: l.Scope,
		Problem: prose.OneLine(l.Problem), Fix: prose.OneLine(l.Solution), Date: date(l.UpdatedAt),
	}
	t.lesson(form.kind, priority(string(l.Priority)), nil)
	t.Lesson.Action, t.Lesson.Status, t.Lesson.Tags, t.Lesson.Triggers.Tools = form.action, lessonStatus(l.Status), sortedTags(l.Tags), tools
	if l.Confidence != nil {
		f, _ := l.Confidence.Float64()
		t.Lesson.Confidence = confidence(f)
	} else if l.Status == "" {
		t.Lesson.Confidence = 0.9 // the manifest tells none, and holds only what passed its threshold
	}
	if created := date(l.CreatedAt); !created.IsZero() {
		t.Lesson.Created = created.Format("2006-01-02")
	}
	l.evidence(&t)
	l.conditions(&t, commands, paths)
	if l.Target == "executable" && len(t.Lesson.Triggers.CommandPatterns) > 0 {
		t.note("its patterns left out what stands between quotes; here that counts")
	}
	return t
}

// evidence keeps how often the problem was met.
func (l *learned) evidence(t *Thing) {
	occurrences, _ := l.OccurrenceCount.Int64()
	sessions, _ := l.SessionCount.Int64()
	t.Observation = &observe.Observation{Observations: int(max(occurrences, sessions, 1)), FirstSeen: date(l.CreatedAt), LastSeen: t.Date}
	if sessions > 0 {
		t.Lesson.Seen = lesson.Seen{Sessions: int(sessions), First: date(l.CreatedAt), Last: t.Date}
	}
}

// conditions translates the patterns. Without its conditions a lesson would fire
// where it never did: what loses all of a kind becomes a draft.
func (l *learned) conditions(t *Thing, commands, paths []regexpSource) {
	trigger := &t.Lesson.Triggers
	for _, c := range commands {
		p, err := Translate(c.Source, c.Flags, JavaScript)
		if err != nil {
			t.note("a pattern of commands is left out: %v", err)
			continue
		}
		trigger.CommandPatterns = append(trigger.CommandPatterns, p.Source)
		trigger.Unless = append(trigger.Unless, p.Unless...)
	}
	for _, p := range paths {
		t.paths([]string{p.Source}, globsOfEither)
	}
	if l.Triggers != nil {
		t.contents(l.Triggers.Content)
	}
	lost := len(commands) > 0 && len(trigger.CommandPatterns) == 0 || len(paths) > 0 && len(trigger.Paths) == 0
	if lost {
		t.draft("none of its patterns can be translated")
	}
	if len(l.Models)+len(l.ModelSources) > 0 {
		t.draft("it asks for a model's name in the command besides, which has no counterpart")
	}
	if len(l.Requires) > 0 && string(l.Requires) != "null" && string(l.Requires) != `""` {
		t.draft("it asks for something to be installed: " + prose.OneLine(string(l.Requires)))
	}
	if len(trigger.Tools) > 0 && len(trigger.CommandPatterns)+len(trigger.Paths)+len(trigger.Content) == 0 && !lost {
		t.draft("it names tools and nothing else: it would fire on every call of them")
	}
	trigger.CommandPatterns, trigger.Unless = lists.With(nil, trigger.CommandPatterns...), lists.With(nil, trigger.Unless...)
}

func sortedTags(tags []string) []string {
	var kept []string
	for _, tag := range tags {
		tag = strings.ToLower(prose.OneLine(tag))
		if rest, ok := strings.CutPrefix(tag, "language:"); ok {
			tag = "lang:" + rest
		}
		if tag != "" {
			kept = append(kept, tag)
		}
	}
	return lists.SortedUnique(kept)
}
