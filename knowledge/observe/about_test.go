package observe

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// said is a signal of a few words; found is one of a failure.
func said(title, mistake, fix string) Signal {
	return Signal{Type: knowledge.Pitfall, Origin: OriginSelfReport, Title: redact.Stored(title), Mistake: redact.Stored(mistake), Fix: redact.Stored(fix)}
}

func found(title, mistake, fix string) Signal {
	s := said(title, mistake, fix)
	s.Origin = OriginErrorFix
	return s
}

func rule(words string) Signal { return said(words, "", words) }

func objection(mistake, words string) Signal {
	s := said(words, mistake, words)
	s.Origin = OriginUserCorrection
	return s
}

var topicCases = []struct {
	name string
	a, b Signal
	same bool
}{
	{
		"a failure and the report of it",
		found("gh pr diff has no flag --stat", "`gh pr diff 88 --stat` failed: unknown flag: --stat", "Use `gh pr diff 88 --name-only`"),
		said("", "gh pr diff has no --stat, that flag is git's", "gh pr diff --name-only"), true,
	},
	{
		"a failure and the rule that a person makes of it",
		found("kubectl get has no flag --all-namespace", "`kubectl get pods --all-namespace` failed: error: unknown flag: --all-namespace", "Use `kubectl get pods --all-namespaces`"),
		rule("its --all-namespaces with an s, kubectl doesnt know --all-namespace"), true,
	},
	{
		"what has to run first",
		found("", "`go test ./integration/...` failed: dial tcp: connect: connection refused", "Run `docker compose up -d` first"),
		said("", "the integration tests need the database, which was not running", "docker compose up -d, then go test ./integration/..."), true,
	},
	{
		"failing tests, and what a person says of other tests",
		found("The integration tests are failing", "The integration tests are failing because a file is new", ""),
		rule("don't run integration tests"), false,
	},
	{"a choice in other words", rule("we use slog here and not zap"), rule("Log with slog instead of zap"), true},
	{
		"a choice and the mistake before it", rule("we use slog here and not zap"),
		said("", "logged with zap, but this repository logs with slog", "log with slog, which is in the standard library"), true,
	},
	{
		"two objections to the change of one file",
		objection("The person objected to the agent's change of src/store.go", "Keep database access behind sqlc"),
		objection("The person objected to the agent's change of src/store.go", "Flags belong in the database, not in env vars"), false,
	},
	{"in German", rule("Wir nehmen pnpm und nicht npm"), rule("Abhängigkeiten mit pnpm installieren, nicht mit npm"), false},
	{"in Chinese", rule("提交信息用中文写"), rule("提交信息请用中文写"), true},
	{"in Japanese", rule("テストは必ずpytestで実行する"), rule("コミットは小さくする"), false},

	{"the choice the other way round", rule("we use slog here and not zap"), rule("we use zap here and not slog"), false},
	{
		"another fix of the same call",
		said("", "go test -race ./... needs a C compiler", "CGO_ENABLED=1 go test -race ./..."),
		said("", "go test -race ./... takes too long", "go test -race -short ./..."), false,
	},
	{"another flag of the same command", rule("never git push --force on main"), rule("git push --force-with-lease after a rebase"), false},
	{"another rule about the same tool", rule("use pnpm, not npm"), rule("run pnpm install before pnpm test"), false},
	{"another rule about the same two tools", rule("use pnpm, not npm"), rule("delete the lockfile of npm where pnpm has its own"), false},
	{"two scripts", said("", "npm test hangs in watch mode", "npm test -- --run"), said("", "npm test fails without a build", "npm run build first"), false},
	{"two failures", found("a", "`x --flag-one --flag-two` failed", "Use `x --three`"), found("b", "`x --flag-one --flag-two` failed", "Use `x --three`"), false},
	{"one word alone", rule("pytest"), rule("pytest"), false},
}

func TestWhatTwoSignalsAreAbout(t *testing.T) {
	for _, c := range topicCases {
		a, b := topicOf(c.a), topicOf(c.b)
		if got := alike(a, b); got != c.same {
			t.Errorf("%s: the same is %v\n%q\n%q", c.name, got, a, b)
		}
		if alike(a, b) != alike(b, a) {
			t.Errorf("%s: who asks decides", c.name)
		}
	}
}

// Topics of one thing meet, whatever their words: else the log would not compare them.
func TestTopicsOfOneThingMeet(t *testing.T) {
	words := []string{"--force", "--stat", "src/a.go", "fooBar", "log", "zap", "test", "build", "cache", "never", "not", "一二三"}
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			out := ""
			for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 8).Draw(t, name) {
				out += " " + w
			}
			return out
		}
		a := topicOf(said(text("title"), text("mistake"), text("fix")))
		b := topicOf(found(text("title"), text("mistake"), text("fix")))
		if alike(a, b) && !meet(a, b) {
			t.Fatalf("%q and %q do not meet", a, b)
		}
	})
}

func TestTheTriggerMayComeFromAnotherMember(t *testing.T) {
	on := func(commands ...string) *lesson.Trigger {
		return &lesson.Trigger{Tools: []string{"Bash"}, Commands: commands}
	}
	words := &lesson.Trigger{Tools: []string{"Bash"}, Keywords: []string{"timeout"}}
	patterned := on("go test -timeout=9")
	patterned.Content = []string{"x"}
	for _, c := range []struct {
		name   string
		own    *lesson.Trigger
		others []*lesson.Trigger
		want   *lesson.Trigger
	}{
		{"its own", on("a"), []*lesson.Trigger{nil, words}, on("a")},
		{"a member's", words, []*lesson.Trigger{nil, on("a")}, on("a")},
		{"other values of its flags", on("go test -timeout=60"), []*lesson.Trigger{on("go test -timeout=30"), on("go test -v"), patterned}, on("go test -timeout=60", "go test -timeout=30")},
		{"too many values", on("a -b=1"), []*lesson.Trigger{on("a -b=2"), on("a -b=3"), on("a -b=4"), on("a -b=5")}, on("a -b=1")},
		{"a wider one", on("python *.py"), []*lesson.Trigger{on("python")}, on("python *.py")},
		{"words alone", words, []*lesson.Trigger{nil}, words},
		{"none", nil, nil, nil},
	} {
		o := &Observation{Type: knowledge.Pitfall, Trigger: c.own}
		for _, trigger := range c.others {
			o.Others = append(o.Others, Pair{Trigger: trigger})
		}
		if got := o.Delivery(); lesson.CanonicalTrigger(got) != lesson.CanonicalTrigger(c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
