package statement

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// show is a statement on one line: kind, "!" where it is explicit, rule, reason, what it
// lacks.
func show(s Statement) string {
	mark := ""
	if s.Explicit {
		mark = "!"
	}
	line := fmt.Sprintf("%s%s: %s", s.Kind, mark, s.Rule)
	if s.Because != "" {
		line += " <- " + s.Because
	}
	if s.Missing != "" {
		line += " (" + s.Missing + ")"
	}
	return line
}

type example struct {
	message string
	want    []string
}

func testExamples(t *testing.T, examples []example) {
	t.Helper()
	for _, e := range examples {
		var got []string
		for _, s := range Read(e.message) {
			got = append(got, show(s))
		}
		if strings.Join(got, "\n") != strings.Join(e.want, "\n") {
			t.Errorf("%q\n got %q\nwant %q", e.message, got, e.want)
		}
	}
}

func TestEnglish(t *testing.T) {
	testExamples(t, []example{
		{"from now on run make fmt before you commit", []string{"instruction!: run make fmt before you commit"}},
		{"hey, please always squash before merging, the history is a mess otherwise", []string{"instruction!: always squash before merging, the history is a mess otherwise"}},
		{"Never push directly to main.", []string{"instruction!: Never push directly to main"}},
		{"we use pnpm, not npm", []string{"instruction!: we use pnpm, not npm"}},
		{"we use slog everywhere, no logrus please", []string{"instruction!: we use slog everywhere, no logrus"}},
		{"we use pnpm in this repo", []string{"instruction!: we use pnpm in this repo"}},
		{"remember that staging has no email", []string{"instruction!: staging has no email"}},
		{"don't forget to run the migrations", []string{"instruction!: run the migrations"}},
		{"add to CLAUDE.md that we squash merge", []string{"instruction!: we squash merge"}},
		{"when you touch the handlers, also change openapi.yaml", []string{"instruction!: when you touch the handlers, also change openapi.yaml"}},
		{"don't amend commits again", []string{"instruction!: don't amend commits again"}},
		{"dont amend commits again. make a new commit", []string{"instruction!: don't amend commits again"}},
		{"never log the payload. always log its hash", []string{"instruction!: never log the payload. always log its hash"}},
		{"no ORM. sqlc like the rest", []string{"decision: no ORM. sqlc like the rest"}},
		{"lets go with slog not zap, its in the standard library", []string{"decision: go with slog not zap <- its in the standard library"}},
		{"we should be using the strong types instead of string wherever we can", []string{"instruction!: we should be using the strong types instead of string wherever we can"}},
		{"our rules from now on:\n- always run the linter\n- never skip a test", []string{"instruction!: always run the linter", "instruction!: never skip a test"}},
		{"the new page:\n- always shows the total\n- always sort by date", nil},
		{"amounts must be integer cents", []string{"instruction!: amounts must be integer cents"}},
		{"can you add a retry to the client? and from now on never swallow errors", []string{"instruction!: never swallow errors"}},

		{"oh, please don't amend commits - it breaks the checkpoints", []string{"instruction!: don't amend commits <- it breaks the checkpoints"}},
		{"don't start containers in unit tests, too slow", []string{"instruction!: don't start containers in unit tests <- too slow"}},
		{"don't touch that file, it is generated", []string{"correction: don't touch that file, it is generated (it means what only its conversation shows)"}},
		{"don't change the port, it's taken", []string{"correction: don't change the port, it's taken"}},
		{"yeah let's update CLAUDE.md but make sure that claude asks before it runs the e2e tests since they cost money", []string{"instruction!: claude asks before it runs the e2e tests <- they cost money"}},
		{"lets handle this via a small pr then, so that it can be released", nil},

		// What is said of everything of a kind holds for later.
		{"fixtures never contain real names", []string{"instruction!: fixtures never contain real names"}},
		{"table names in db/ are always singular", []string{"instruction!: table names in db/ are always singular"}},
		{"passwords must never be logged", []string{"instruction!: passwords must never be logged"}},
		{"durations are in seconds everywhere, never minutes", []string{"instruction!: durations are in seconds everywhere, never minutes"}},
		{"handlers use the clock interface, not time.Now", []string{"instruction!: handlers use the clock interface, not time.Now"}},
		{"each new endpoint in api/v2 needs a contract test", []string{"instruction!: each new endpoint in api/v2 needs a contract test"}},
		{"no globals in pkg/engine, pass them in", []string{"instruction!: no globals in pkg/engine, pass them in"}},
		{"no default exports, they make renames a pain", []string{"instruction!: no default exports <- they make renames a pain"}},
		{"stop writing comments that repeat the code", []string{"instruction!: stop writing comments that repeat the code"}},
		{"don't bump versions by hand, use changesets", []string{"instruction!: don't bump versions by hand, use changesets"}},
		{"ask me before deleting branches", []string{"instruction!: ask me before deleting branches"}},
		{"before you open a PR, run the linter", []string{"instruction!: before you open a PR, run the linter"}},
		{"you must never edit generated files", []string{"instruction!: you must never edit generated files"}},
		{"write dates as ISO 8601, always please", []string{"instruction!: write dates as ISO 8601, always"}},
		{"changelog entries follow keepachangelog in this repo", []string{"instruction!: changelog entries follow keepachangelog in this repo"}},
		{"every exported type in model/ needs an example", []string{"instruction!: every exported type in model/ needs an example"}},
		{"no prints outside of cmd/", []string{"instruction!: no prints outside of cmd/"}},
		{"treat gen/ as read-only", []string{"instruction!: treat gen/ as read-only"}},
		{"after editing the schema file you need to run make types", []string{"instruction!: after editing the schema file you need to run make types"}},
		{"rebase on main, never merge it into a branch", []string{"instruction!: rebase on main, never merge it into a branch"}},
		{"you have to ask before you drop a table", []string{"instruction!: you have to ask before you drop a table"}},
		{"demo data belongs in seeds/, not in the migrations", []string{"instruction!: demo data belongs in seeds/, not in the migrations"}},
		{"I don't want abbreviations in the names of variables", []string{"instruction!: I don't want abbreviations in the names of variables"}},
		{"fixtures live next to the test that needs them", []string{"instruction!: fixtures live next to the test that needs them"}},
		{"public ids are prefixed with their type", []string{"instruction!: public ids are prefixed with their type"}},
		{"controllers shouldn't know about the database", []string{"instruction!: controllers shouldn't know about the database"}},
		{"new packages start with a doc.go", []string{"instruction!: new packages start with a doc.go"}},
		{"print() is banned", []string{"instruction!: print() is banned"}},
		{"no circular imports", []string{"instruction!: no circular imports"}},
		{"do not commit generated images", []string{"instruction!: do not commit generated images"}},
		{"use the user's time zone wherever a date is shown", []string{"instruction!: use the user's time zone wherever a date is shown"}},
		{"run the dry run first, apply only after I confirmed it", []string{"instruction!: run the dry run first, apply only after I confirmed it"}},
		{"if a test needs the network, tag it with @slow", []string{"instruction!: if a test needs the network, tag it with @slow"}},
		{"note for later sessions: port 9000 is taken by the profiler", []string{"instruction!: port 9000 is taken by the profiler"}},
		{"after every release update the status page", []string{"instruction!: after every release update the status page"}},
		{"assets/ is generated", []string{"instruction!: assets/ is generated"}},
		{"prefer composition over inheritance", []string{"instruction!: prefer composition over inheritance"}},
		{"leave .idea alone", []string{"instruction!: leave .idea alone"}},
		{"add a test with its own config", nil},
		{"don't change the tests", []string{"correction: don't change the tests"}},
		{"all links are broken since yesterday", nil},
		{"no problems found", nil},
		{"anything new in the basket goes behind a flag", []string{"instruction!: anything new in the basket goes behind a flag"}},
		{"hands off third_party/, it is copied from upstream", []string{"instruction!: hands off third_party/ <- it is copied from upstream"}},
		{"no panic() in library code", []string{"instruction!: no panic() in library code"}},
		{"before you call it done, run make check", []string{"instruction!: before you call it done, run make check"}},
		{"use American spelling in all labels", []string{"instruction!: use American spelling in all labels"}},
		{"The database speaks UTC, the screen local time. Keep it that way.", []string{"instruction!: The database speaks UTC, the screen local time"}},
		{"screenshots always run against the demo shop", []string{"instruction!: screenshots always run against the demo shop"}},
		{"final answer: the queue is a table, because we have one worker", []string{"decision: the queue is a table <- we have one worker"}},
		{"GraphQL is dead for the partners, REST it is. They could not cache it.", []string{"decision: GraphQL is dead for the partners, REST it is <- They could not cache it"}},
		{"Invoice numbers will be ULIDs. Counters leaked how much we sell.", []string{"decision: Invoice numbers will be ULIDs <- Counters leaked how much we sell"}},
		{"My boss keeps saying every call needs a log line.", nil},
		{"it must be the proxy, because it works at home", nil},
		{"no data in the table", nil},
		{"can you compare the two exporters? keep in mind that the old one has no header", nil},
		{"please use CRLF nowhere in this repository", []string{"instruction!: use CRLF nowhere in this repository"}},
		{"run the formatter after every merge", []string{"instruction!: run the formatter after every merge"}},
		{"use em, not pt", []string{"instruction!: use em, not pt"}},
		{"keep handlers short", []string{"instruction!: keep handlers short"}},
		{"comments are in English", []string{"instruction!: comments are in English"}},
		{"use the blue one, not the red one", []string{"decision: use the blue one, not the red one"}},
		{"images are too large on phones", nil},
		{"queries are slow since the upgrade", nil},
		{"All test cases use the --force flag, which hides the prompt", nil},
		{"put the filter above the table because people overlook it there", []string{"decision: put the filter above the table <- people overlook it there (it means what only its conversation shows)"}},
		{"can you explain why we use two loggers here?", nil},
		{"stop the server and start it again", nil},
		{"don't forget the semicolon in line 12", []string{"instruction!: the semicolon in line 12 (it means what only its conversation shows)"}},
		{"the buttons are always disabled in dark mode", nil},
		{"users never see the banner", nil},
		{"it uses the old icon everywhere", nil},
		{"no changes needed in src/a.ts", nil},
		{"no errors in the console any more, it works", nil},

		// A reason needs no word that says so where one thing is put in place of another.
		{"sign tokens with ed25519 rather than rsa, rsa keys are huge", []string{"decision: sign tokens with ed25519 rather than rsa <- rsa keys are huge"}},
		{"Workers talk gRPC rather than HTTP because they stream", []string{"decision: Workers talk gRPC rather than HTTP <- they stream"}},
		{"for the exports we use Arrow, it maps to the columns directly", []string{"decision: for the exports we use Arrow <- it maps to the columns directly"}},
		{"replace moment with date-fns because moment weighs 300 kB", []string{"decision: replace moment with date-fns <- moment weighs 300 kB"}},
		{"I'd keep ids as strings because JavaScript rounds them", []string{"decision: I'd keep ids as strings <- JavaScript rounds them"}},
		{"no ORMs since they hide the queries", []string{"decision: no ORMs <- they hide the queries"}},
		{"Kotlin for new services because the team knows it", []string{"decision: Kotlin for new services <- the team knows it"}},
		{"search runs on Postgres because Elastic needs its own cluster", []string{"decision: search runs on Postgres <- Elastic needs its own cluster"}},
		{"We stay on Debian. Alpine would mean musl.", []string{"decision: We stay on Debian <- Alpine would mean musl"}},
		{"we'll use Compose for all new screens, layouts in XML double the work", []string{"decision: we'll use Compose for all new screens <- layouts in XML double the work"}},
		{"Kysely over Prisma in the api. Prisma ships a whole engine and we deploy to lambdas.", []string{"decision: Kysely over Prisma in the api <- Prisma ships a whole engine and we deploy to lambdas"}},
		{"Decision: search runs in Postgres, since nobody should be on call for Elastic", []string{"decision: search runs in Postgres <- nobody should be on call for Elastic"}},
		{"as we agreed earlier, queues are in Postgres and not in Redis, Redis lost jobs twice", []string{"decision: queues are in Postgres and not in Redis <- Redis lost jobs twice"}},
		{"rename the helper, it is confusing", nil},
		{"use the other constant, it is the right one", nil},
		{"put the button left of the title, it looks better there", nil},
		{"remove the workers, they are not needed", nil},

		{"let's go with slog instead of zap because it is in the standard library", []string{"decision: go with slog instead of zap <- it is in the standard library"}},
		{"use slog instead of zap because it is in the standard library", []string{"decision: use slog instead of zap <- it is in the standard library"}},
		{"We'll keep SQLite. Because a server is too much for one user.", []string{"decision: We'll keep SQLite <- a server is too much for one user"}},

		{"Can you add this to CLAUDE.md?", []string{"instruction!:  (it does not say what to do)"}},
		{"Never log the payload. Can you add that to CLAUDE.md?", []string{"instruction!: Never log the payload"}},
		{"could you always use --no-pager with git log?", []string{"instruction!: always use --no-pager with git log"}},
		{"I want the instructions to live in docs/, not in a skill, because it has to hold for every language", []string{"decision: I want the instructions to live in docs/, not in a skill <- it has to hold for every language"}},
		{"don't wrap long lines in the markdown because it ruins the rendering", []string{"instruction!: don't wrap long lines in the markdown <- it ruins the rendering"}},
		{"let's not worry as long as it doesn't add confusion", []string{"decision: not worry as long as it doesn't add confusion"}},

		{"no, the tests live in spec/, not in test/", []string{"correction: the tests live in spec/, not in test/", "instruction!: the tests live in spec/, not in test/"}},
		{"let's have a look at the lock file, I bet it's the mirror again", nil},
		{"we're moving the tracker to the new host soon", nil},
		{`the same thing as in the mail header: "To: Ann <ann@example.org>" is fine`, []string{"decision: the same thing as in the mail header: … is fine (it means what only its conversation shows)"}},
		{"that's wrong, you removed the fixture", []string{"correction: that's wrong, you removed the fixture"}},
		{"why did you delete the fixture", nil},

		{"should we use pnpm?", nil},
		{"no, this is fine", nil},
		{"Do not change the code just yet", nil},
		{"don't open a PR, just a commit", nil},
		{"Add a README to the e2e folder instead of the global one", nil},
		{"Consider using runes instead", nil},
		{"note: the new strategy seems to work", nil},
		{"(we use go-git, not git, in other places)", nil},
		{"<ci-event>Never merge this. Always wait.</ci-event>", nil},
		{"Please look into this report:\n## Export loses rows\nIt should never cut the file, and always keep the header.", nil},
		{"can you answer?\nFrom: a customer\nPlease always use the new format from now on.", nil},
		{"should we add this to CLAUDE.md?", nil},
		{"we always get a 500 there", nil},
		{"we only create commits on that branch if files changed", nil},
		{"This is critical because wrong fields could break it.", nil},
		{"I don't see the prompt any more", nil},
		{"all the steps we have to follow are in the ticket", nil},
		{"it would be nice to have a dark mode", nil},
		{"add a test for the parser", nil},
		{"the docs say always use tabs", nil},
		{"the build always fails", nil},
		{"for now use npm", nil},
		{"use sqlite just this once, never mind the warnings", nil},
		{"I'll always review it myself", nil},
		{"he wrote: \"never push to main again\"", nil},
		{"> from now on use tabs\n\nwhat does he mean", nil},
		{"```\n# always use tabs\n```", nil},
		{"<example>from now on answer in French</example>", nil},
		{"if we always used tabs this would not happen", nil},
		{"great work, thanks!", nil},
	})
}

func TestGerman(t *testing.T) {
	testExamples(t, []example{
		{"ab jetzt bitte immer make fmt vor dem commit laufen lassen", []string{"instruction!: immer make fmt vor dem commit laufen lassen"}},
		{"wir nutzen pnpm, nicht npm", []string{"instruction!: wir nutzen pnpm, nicht npm"}},
		{"nie direkt auf main pushen", []string{"instruction!: nie direkt auf main pushen"}},
		{"merk dir: die Preise sind netto", []string{"instruction!: die Preise sind netto"}},
		{"wir nehmen sqlite, weil wir keinen Server wollen", []string{"decision: wir nehmen sqlite <- wir keinen Server wollen"}},
		{"Beträge sind überall in Cent, nie als Gleitkommazahl", []string{"instruction!: Beträge sind überall in Cent, nie als Gleitkommazahl"}},
		{"Für die Suche nehmen wir Postgres, denn Elastic will niemand betreiben", []string{"decision: Für die Suche nehmen wir Postgres <- Elastic will niemand betreiben"}},
		{"Vor jeder Migration muss ein Backup laufen", []string{"instruction!: Vor jeder Migration muss ein Backup laufen"}},
		{"der Knopf muss immer sichtbar sein", nil},
		{"Ed25519 statt RSA, RSA-Schlüssel sind riesig", []string{"decision: Ed25519 statt RSA <- RSA-Schlüssel sind riesig"}},
		{"nein, die andere Datei", []string{"correction: die andere Datei (it means what only its conversation shows)"}},
		{"sollen wir pnpm nehmen?", nil},
		{"der Build schlägt immer fehl", nil},
		{"nimm erstmal npm", nil},
		{"schreib einen Test für den Parser", nil},
		{"in der Doku steht, dass man immer Tabs nehmen soll", nil},
	})
}

func TestSpanish(t *testing.T) {
	testExamples(t, []example{
		{"a partir de ahora ejecuta make fmt antes de cada commit", []string{"instruction!: ejecuta make fmt antes de cada commit"}},
		{"usamos pnpm, no npm", []string{"instruction!: usamos pnpm, no npm"}},
		{"nunca hagas push a main", []string{"instruction!: nunca hagas push a main"}},
		{"No vuelvas a hacer push a main, para eso están las ramas", []string{"instruction!: No vuelvas a hacer push a main, para eso están las ramas"}},
		{"recuerda que los precios van sin IVA", []string{"instruction!: los precios van sin IVA"}},
		{"vamos a usar sqlite porque no queremos otro servidor", []string{"decision: vamos a usar sqlite <- no queremos otro servidor"}},
		{"Las ramas salen siempre de develop, no de main", []string{"instruction!: Las ramas salen siempre de develop, no de main"}},
		{"usa Kysely en lugar de Prisma, Prisma trae un motor entero y pesa", []string{"decision: usa Kysely en lugar de Prisma <- Prisma trae un motor entero y pesa"}},
		{"¿usamos pnpm?", nil},
		{"el build siempre falla", nil},
		{"por ahora usa npm", nil},
		{"escribe un test para el parser", nil},
	})
}

func TestChinese(t *testing.T) {
	testExamples(t, []example{
		{"以后提交之前都要先跑 make fmt", []string{"instruction!: 提交之前都要先跑 make fmt"}},
		{"我们用 pnpm，不用 npm", []string{"instruction!: 我们用 pnpm，不用 npm"}},
		{"不要手动改数据库的结构", []string{"instruction!: 不要手动改数据库的结构"}},
		{"永远不要直接推送到 main", []string{"instruction!: 永远不要直接推送到 main"}},
		{"记住：金额用整数分保存", []string{"instruction!: 金额用整数分保存"}},
		{"就用 sqlite，因为不想再维护一个服务器", []string{"decision: 就用 sqlite <- 不想再维护一个服务器"}},
		{"要不要用 pnpm？", nil},
		{"构建总是失败", nil},
		{"暂时用 npm", nil},
		{"给解析器加个测试", nil},
	})
}

func TestJapanese(t *testing.T) {
	testExamples(t, []example{
		{"今後はコミット前に必ず make fmt を実行してください", []string{"instruction!: コミット前に必ず make fmt を実行してください"}},
		{"このリポジトリでは npm ではなく pnpm を使う", []string{"instruction!: このリポジトリでは npm ではなく pnpm を使う"}},
		{"二度と main に直接 push しないで", []string{"instruction!: 二度と main に直接 push しないで"}},
		{"覚えておいて：金額は整数のセントで保存する", []string{"instruction!: 金額は整数のセントで保存する"}},
		{"サーバーを増やしたくないので、sqlite にします", []string{"decision: sqlite にします <- サーバーを増やしたくない"}},
		{"pnpm を使うべきですか？", nil},
		{"ビルドがいつも失敗する", nil},
		{"とりあえず npm を使って", nil},
		{"パーサーのテストを書いて", nil},
	})
}

func TestGate(t *testing.T) {
	for rule, want := range map[string]string{
		"from now on always do it the right way": "names nothing",
		"always use that":                        "names nothing",
		"never use that function":                "only its conversation",
		"remember this":                          "does not say",
		"never swallow errors":                   "",
		"amounts must be integer cents":          "",
	} {
		got := Read(rule)
		if len(got) != 1 || (want == "") != (got[0].Missing == "") || !strings.Contains(got[0].Missing, want) {
			t.Errorf("%q: %+v, want %q", rule, got, want)
		}
	}
}

// An answer that does something with "this" says little to who did not read the question,
// whatever else it names.
func TestAnAnswerAboutThis(t *testing.T) {
	for answer, want := range map[string]string{
		"let's handle this via a GitHub action, because it can be released":    pointsOnly,
		"we should do that in a separate pull request since the diff is large": pointsOnly,
		"we should do this in tests: call t.Chdir, because it is undone":       "",
		"let's use pnpm for this because npm ignores the workspace":            "",
		"handle uploads via a GitHub action, because it can be released":       "",
	} {
		if got := Choice(answer, "").Missing; got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

func TestNamesAndPaths(t *testing.T) {
	for message, want := range map[string]string{
		"we use pnpm, not npm":                                       "[pnpm npm] [npm] []",
		"we use pnpm in web/, never npm":                             "[web/ pnpm npm] [npm] []",
		"always run `make gen` after editing api/openapi.yaml":       "[make gen api/openapi.yaml] [] []",
		"when you touch the handlers, also change openapi.yaml":      "[openapi.yaml] [] [**/handlers/** **/*handler*]",
		"whenever you change .proto files, always regenerate gen/":   "[.proto gen/] [] [**/*.proto]",
		"when you change internal/db, always update docs/schema.md":  "[internal/db docs/schema.md] [] [internal/db/**]",
		"wenn du die migrations änderst, immer make schema aufrufen": "[] [] [**/migrations/** **/*migration*]",
	} {
		got := Read(message)
		if len(got) != 1 {
			t.Errorf("%q: %v", message, got)
			continue
		}
		if shown := fmt.Sprint(got[0].Names, got[0].Against, got[0].Paths); shown != want {
			t.Errorf("%q\n got %s\nwant %s", message, shown, want)
		}
	}
}

// Any text can be read; what comes out is of the message and bounded.
func TestReadIsBounded(t *testing.T) {
	words := []string{"always", "never", "use", "not", "we", "because", "when you touch", "`", "\"", "immer", "nie", "siempre", "以后", "不要", "ので", "。", "?", ". ", "\n", ",", "CLAUDE.md", "remember", "src/a.go", "\xff", "```"}
	rapid.Check(t, func(t *rapid.T) {
		message := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(t, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "between")) + rapid.String().Draw(t, "any")
		holds(t, message)
	})
}

func holds(t interface{ Fatalf(string, ...any) }, message string) {
	found := Read(message)
	if len(found) > maxStatements {
		t.Fatalf("%q: %d statements", message, len(found))
	}
	for _, s := range found {
		if s.Kind == "" || len(s.Rule) > maxSentence || !utf8.ValidString(s.Rule) || s.Rule == "" && s.Missing == "" || len(s.Names) > maxNames {
			t.Fatalf("%q: %+v", message, s)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("from now on we use pnpm, not npm, because it is fast")
	f.Add("今後は必ず make を使う。 wenn du a/b änderst")
	f.Fuzz(func(t *testing.T, message string) { holds(t, message) })
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Read("can you look at the parser again? from now on always run make fmt before you commit, because CI is slow")
	}
}
