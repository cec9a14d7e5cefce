package observe

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/test/schema"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// earlierToolLine is a line as devflow writes it, with a field that we do not
// know and JavaScript's milliseconds.
const earlierToolLine = `{"id":"obs_a1b2c3","type":"workflow","pattern":"Squash & merge","evidence":["do it"],"details":"1. lint; 2. merge","confidence":0.66,"observations":2,"first_seen":"2026-04-01T08:00:00.000Z","last_seen":"2026-04-05T08:00:00.000Z","status":"observing","quality_ok":true,"x_tool":{"b":1, "a":[2,3]}}`

func TestLogUntouchedBytesSurvive(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                 "",
		"one line":              earlierToolLine + "\n",
		"no final newline":      earlierToolLine,
		"CRLF":                  earlierToolLine + "\r\n" + strings.Replace(earlierToolLine, "a1b2c3", "zzzzzz", 1) + "\r\n",
		"byte order mark":       "\xef\xbb\xbf" + earlierToolLine + "\n",
		"blank lines":           "\n\n" + earlierToolLine + "\n \n",
		"torn tail":             earlierToolLine + "\n" + `{"id":"obs_x`,
		"conflict markers":      "<<<<<<< HEAD\n" + earlierToolLine + "\n=======\n" + earlierToolLine + "\n>>>>>>> b\n",
		"unknown type":          strings.Replace(earlierToolLine, "workflow", "habit", 1) + "\n",
		"not an object":         "[1,2]\n\"text\"\n42\n",
		"not UTF-8":             "{\"id\":\"\xff\"}\n",
		"wrong type of a field": strings.Replace(earlierToolLine, "0.66", `"high"`, 1) + "\n",
		"odd spacing":           " { \"type\" : \"pitfall\",\t\"id\":\"obs_1\" } \n",
		"absolute path":         strings.Replace(earlierToolLine, `"x_tool"`, `"artifact_path":"/home/u/r/.claude/commands/x.md","x_tool"`, 1) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := ParseLog("log", []byte(text))
			if got := string(l.Bytes()); got != text {
				t.Errorf("bytes changed:\n%s", cmp.Diff(text, got))
			}
			if got := string(l.Clone().Bytes()); got != text {
				t.Errorf("bytes of the clone changed:\n%s", cmp.Diff(text, got))
			}
		})
	}
}

func TestLogProblemsNameTheLine(t *testing.T) {
	text := strings.Join([]string{
		earlierToolLine,
		`{"id":`,
		`<<<<<<< ours`,
		strings.Replace(earlierToolLine, "workflow", "habit", 1),
		`{"type":"pitfall"}`,
		strings.Replace(earlierToolLine, "a1b2c3", "second", 1),
	}, "\n") + "\n"
	l, problems := ParseLog("a/log.jsonl", []byte(text))
	type found struct {
		Line int
		Rule string
	}
	var got []found
	for _, p := range problems {
		if p.Path != "a/log.jsonl" || p.Text == "" {
			t.Errorf("problem without path or text: %+v", p)
		}
		got = append(got, found{p.Line, p.Rule})
	}
	want := []found{{2, "log-line"}, {3, "log-conflict"}, {4, "log-type"}, {5, "log-id"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if n := len(l.Observations()); n != 2 {
		t.Errorf("one bad line hides others: %d observations, want 2", n)
	}
}

func TestUnparseableLogLinesVanishOnRewrite(t *testing.T) {
	bad := "{\"id\": \"torn\n<<<<<<< HEAD\n\xff\xfe\nnot json at all\n"
	l, _ := ParseLog("log", []byte(bad+earlierToolLine+"\n"+`{"half":`))
	l.Add(signal(1), DefaultThresholds())
	o := l.Get("obs_a1b2c3")
	o.Status = Created
	l.Put(o)
	got := string(l.Bytes())
	for _, line := range append(strings.Split(strings.TrimSpace(bad), "\n"), `{"half":`) {
		if !strings.Contains(got, line+"\n") && !strings.HasSuffix(got, line) {
			t.Errorf("line %q is lost in\n%s", line, got)
		}
	}
	again, problems := ParseLog("log", []byte(got))
	if len(problems) != 5 || len(again.Observations()) != 2 {
		t.Errorf("after the rewrite: %d problems, %d observations", len(problems), len(again.Observations()))
	}
}

func TestLogEditKeepsUnknownFields(t *testing.T) {
	l, _ := ParseLog("log", []byte(earlierToolLine+"\r\n"))
	o := l.Get("obs_a1b2c3")
	o.Status, o.Confidence, o.ArtifactPath = Ready, 0.95, ".claude/commands/x.md"
	l.Put(o)
	want := `{"id":"obs_a1b2c3","type":"workflow","pattern":"Squash & merge","details":"1. lint; 2. merge","evidence":["do it"],"observations":2,"confidence":0.95,` +
		`"first_seen":"2026-04-01T08:00:00Z","last_seen":"2026-04-05T08:00:00Z","status":"ready","quality_ok":true,"artifact_path":".claude/commands/x.md","x_tool":{"b":1, "a":[2,3]}}` + "\r\n"
	if got := string(l.Bytes()); got != want {
		t.Errorf("edit (-want +got):\n%s", cmp.Diff(want, got))
	}
	o.ArtifactPath = ""
	l.Put(o)
	if got := string(l.Bytes()); strings.Contains(got, "artifact_path") {
		t.Errorf("an emptied field stays: %s", got)
	}
}

func TestLogPutOfTheSameChangesNothing(t *testing.T) {
	text := " " + earlierToolLine + "  \n"
	l, _ := ParseLog("log", []byte(text))
	l.Put(l.Get("obs_a1b2c3"))
	l.Settle(DefaultThresholds())
	o := l.Get("obs_a1b2c3")
	if o.Status != Ready { // 2 of 3 sessions on 4 days
		t.Errorf("status %q, want ready", o.Status)
	}
	unsettled, _ := ParseLog("log", []byte(earlierToolLine+"\n"))
	unsettled.Put(unsettled.Get("obs_a1b2c3"))
	if got := string(unsettled.Bytes()); got != earlierToolLine+"\n" {
		t.Errorf("bytes changed: %s", got)
	}
}

func TestLogGivesOutCopies(t *testing.T) {
	l, _ := ParseLog("log", []byte(earlierToolLine+"\n"))
	l.Get("obs_a1b2c3").Evidence[0] = "changed"
	l.Observations()[0].Status = Deprecated
	o := l.Get("obs_a1b2c3")
	if o.Evidence[0] != "do it" || o.Status != Observing {
		t.Errorf("a change of a copy reached the log: %+v", o)
	}
	if l.Get("obs_none") != nil {
		t.Error("an id that is not there gives an observation")
	}
}

func TestLogRemoveAndInsertKeepTheOrder(t *testing.T) {
	line := func(id string) string { return strings.Replace(earlierToolLine, "obs_a1b2c3", id, 1) + "\n" }
	l, _ := ParseLog("log", []byte(line("obs_a")+"bad\n"+line("obs_c")))
	l.Remove("obs_a")
	l.Put(&Observation{ID: "obs_b", Type: knowledge.Pitfall, Pattern: "p"})
	l.Put(&Observation{ID: "obs_d", Type: knowledge.Pitfall, Pattern: "q"})
	var order []string
	for raw := range bytes.Lines(l.Bytes()) {
		order = append(order, string(raw[:min(len(raw), 14)]))
	}
	want := []string{"bad\n", `{"id":"obs_b",`, `{"id":"obs_c",`, `{"id":"obs_d",`}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestLogTailWithoutNewlineIsNeverGluedToTheNextRecord(t *testing.T) {
	l, _ := ParseLog("log", []byte(`{"torn`))
	l.Put(&Observation{ID: "obs_z", Type: knowledge.Pitfall, Pattern: "p"})
	if got := string(l.Bytes()); !strings.HasPrefix(got, "{\"torn\n{\"id\":\"obs_z\"") || !strings.HasSuffix(got, "}\n") {
		t.Errorf("got %q", got)
	}
}

func TestLogTwinsOfABadMergeAreOneObservation(t *testing.T) {
	other := strings.NewReplacer(`"observations":2`, `"observations":5`, `"x_tool"`, `"y_tool"`).Replace(earlierToolLine)
	text := "<<<<<<< HEAD\n" + earlierToolLine + "\n=======\n" + other + "\n>>>>>>> topic\n"
	l, _ := ParseLog("log", []byte(text))
	all := l.Observations()
	if len(all) != 1 || all[0].Observations != 5 {
		t.Fatalf("got %+v, want one observation with 5", all)
	}
	merge := func(text string) string {
		return string(mergeLogFiles(nil, []byte(text), []byte(text), DefaultThresholds()))
	}
	got := merge(text)
	if strings.Count(got, "\n") != 1 || !strings.Contains(got, `"x_tool"`) || !strings.Contains(got, `"y_tool"`) {
		t.Errorf("resolved: %s", got)
	}
	if merge(got) != got {
		t.Error("resolving twice changes the log")
	}
}

func TestAbsolutePathsInLogMakeEveryCloneDeleted(t *testing.T) {
	line := strings.Replace(earlierToolLine, `"x_tool"`, `"artifact_path":"/home/ann/src/app/.claude/commands/self-learning/x.md","x_tool"`, 1)
	l, _ := ParseLog("log", []byte(line+"\n"))
	o := l.Get("obs_a1b2c3")
	if want := ".claude/commands/self-learning/x.md"; o.ArtifactPath != want {
		t.Fatalf("path %q, want %q", o.ArtifactPath, want)
	}
	l.Put(o)
	if strings.Contains(string(l.Bytes()), "/home/ann") {
		t.Errorf("the absolute path outlives the first write: %s", l.Bytes())
	}
}

func TestDropInvalidReturnsWhatItDrops(t *testing.T) {
	l, _ := ParseLog("log", []byte("bad one\n\n"+earlierToolLine+"\nbad two"))
	dropped := l.DropInvalid()
	if got := string(bytes.Join(dropped, nil)); got != "bad one\nbad two" {
		t.Errorf("dropped %q", got)
	}
	if got := string(l.Bytes()); got != "\n"+earlierToolLine+"\n" {
		t.Errorf("left %q", got)
	}
}

// TestTwoObservationsOfOneID: an earlier tool gave one id to things of different types.
func TestTwoObservationsOfOneID(t *testing.T) {
	const workflow = `{"id":"obs_1","type":"workflow","pattern":"Release it","observations":3,"status":"ready","quality_ok":true}` + "\n"
	const decision = `{"id":"obs_1","type":"decision","pattern":"Use slog","observations":2,"status":"ready","quality_ok":true}` + "\n"
	var ids []string
	for _, text := range []string{workflow + decision, workflow + decision + decision} {
		l, problems := ParseLog("log", []byte(text))
		if len(problems) > 0 || string(l.Bytes()) != text {
			t.Errorf("%v\n%s", problems, l.Bytes())
		}
		all := l.Observations()
		if len(all) != 2 || all[0].Type != knowledge.Workflow || all[0].ID != "obs_1" || all[0].Observations != 3 || all[1].Type != knowledge.Decision || all[1].Observations != 2 {
			t.Fatalf("%+v", all)
		}
		ids = append(ids, all[1].ID)
		o := all[1].Clone()
		o.Status = Created
		l.Put(o)
		again, _ := ParseLog("log", l.Bytes())
		if all := again.Observations(); len(all) != 2 || all[1].ID != o.ID || all[1].Status != Created || all[0].Status != Ready {
			t.Errorf("once written: %+v", all)
		}
	}
	if ids[0] != ids[1] || ids[0] == "obs_1" {
		t.Errorf("the second one is called %q", ids)
	}
}

func FuzzParseLog(f *testing.F) {
	for _, seed := range []string{
		earlierToolLine + "\n", "<<<<<<< a\n{}\n", "\xef\xbb\xbf{\"id\":\"x\"", "{\"id\":\"a\",\"type\":\"pitfall\",\"id\":\"b\"}\r\n",
		earlierToolLine + "\n" + earlierToolLine + "\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, _ := ParseLog("log", data)
		if got := l.Bytes(); !bytes.Equal(got, data) {
			t.Fatalf("bytes changed: %q became %q", data, got)
		}
		for _, o := range l.Observations() {
			l.Put(o)
		}
		l.Join(l.Clone())
		once := l.Bytes()
		again, _ := ParseLog("log", once)
		if len(again.Observations()) != len(l.Observations()) {
			t.Fatalf("%d observations became %d: %q", len(l.Observations()), len(again.Observations()), once)
		}
		again.Add(signal(1), DefaultThresholds())
	})
}

func TestObservationsFitTheirSchema(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	full := Observation{
		ID: "obs_a", Type: knowledge.Pitfall, Pattern: "x", Details: "area: y", Evidence: []string{"q"}, Observations: 2, Confidence: 0.95, FirstSeen: at, LastSeen: at,
		Status: Ready, QualityOK: true, ArtifactPath: "p", NeedsReview: true, MayBeStale: true, StaleReason: "r", SoftCapExceeded: true, DeprecatedAt: "d",
		Sessions: []string{"a"}, Aliases: []string{"b"}, Keys: []string{"c"}, Trigger: &lesson.Trigger{Tools: []string{"Bash"}}, Mistake: "m", Fix: "f", Tags: []string{"t"},
		Origin: OriginErrorFix, Marks: []Mark{MarkHang}, Projects: 1, Priority: 7, Kind: lesson.Checklist, Level: lesson.High, Items: []string{"i"}, Recorded: RecordedManual,
		Phrased: []Phrasing{{Of: "o", Model: "m", Title: "t", Mistake: "m", Fix: "f", Why: "w", Quotes: []string{"q"}, QualityOK: true, Rejected: "r"}},
	}
	line, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate("observation", line); err != nil {
		t.Error(err)
	}
	known, err := schema.Read("observation")
	if err != nil {
		t.Fatal(err)
	}
	typ := reflect.TypeFor[Observation]()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if known.Properties[name] == nil {
			t.Errorf("field %s is not in the schema", name)
		}
	}
	for _, bad := range []string{`{}`, `{"id":"x","type":"y","pattern":"z"}`, `{"id":"x","type":"pitfall","pattern":"z","confidence":2}`} {
		if schema.Validate("observation", []byte(bad)) == nil {
			t.Errorf("%s fits", bad)
		}
	}
}

// A log of two places is joined when it is loaded: with 200,000 observations the names of
// all of them take as much memory as the log.
func TestLoadedLogKeepsNoNames(t *testing.T) {
	line := `{"id":"obs_%s","type":"pitfall","pattern":"%s","details":"issue: %s; resolution: y","observations":1,"status":"observing"}` + "\n"
	log, _ := ParseLog("log", []byte(strings.ReplaceAll(line, "%s", "a")))
	other, _ := ParseLog("other", []byte(strings.ReplaceAll(line, "%s", "b")))
	log.Join(other)
	log.NoteLoaded()
	if log.keys != nil || log.near != nil {
		t.Errorf("%d keys are held", len(log.keys))
	}
	log.Join(other)
	if n := len(log.Observations()); n != 2 {
		t.Errorf("%d observations after joining the same again, want 2", n)
	}
}
