package statement

import "testing"

// What is done, told with its reason, is a decision, wherever the reason stands.
func TestWhatIsDoneAndWhy(t *testing.T) {
	testExamples(t, []example{
		{"It looks fine for an hour. We don't allocate after init on this board, otherwise the heap fragments.", []string{"decision: We don't allocate after init on this board <- otherwise the heap fragments"}},
		{"Legal doesn't let us send user data outside the EU, hence flags live in our own table", []string{"decision: flags live in our own table <- Legal doesn't let us send user data outside the EU"}},
		{"We bricked 30 locks in the pilot, which is why updates go into a second slot.", []string{"decision: updates go into a second slot <- We bricked 30 locks in the pilot"}},
		{"we're putting arm builds on our own runners, as emulation eats 40 minutes", []string{"decision: we're putting arm builds on our own runners <- emulation eats 40 minutes"}},
		{"We'll do server-side sessions in Redis. Support needs to be able to kick somebody out.", []string{"decision: We'll do server-side sessions in Redis <- Support needs to be able to kick somebody out"}},

		{"We also publish to the old store, so that can be dropped", nil},
		{"we train in bf16", []string{"instruction!: we train in bf16"}},
		{"it was fine since then", nil},
		{"the fetch runs with no timeout, because nobody set one", nil},
	})
}

func TestStandingInMoreWords(t *testing.T) {
	testExamples(t, []example{
		{"Ugh. Add to CLAUDE.md that migrations only get run against the local db unless somebody explicitly says otherwise.", []string{"instruction!: migrations only get run against the local db unless somebody explicitly says otherwise"}},
		{"Not the whole suite. Remember for next time: run just the package that you changed. What failed?", []string{"instruction!: run just the package that you changed"}},
		{"please undo black and always run `ruff format` before you show me a diff", []string{"instruction!: undo black and always run `ruff format` before you show me a diff"}},
		{"I'd like comments that say why something is done, keep it that way in future code too", []string{"instruction!: I'd like comments that say why something is done"}},
		{"No raw owning pointers in this codebase, unique_ptr or a value", []string{"instruction!: No raw owning pointers in this codebase, unique_ptr or a value"}},
		{"every PR of ours starts with the ticket's key", []string{"instruction!: every PR of ours starts with the ticket's key"}},
		{"apply is mine. you stop at plan, every time, in every env", []string{"instruction!: you stop at plan, every time, in every env"}},
		{"Only ever format the lines that you change anyway", []string{"instruction!: Only ever format the lines that you change anyway"}},
		{"CONCURRENTLY, and not only here but for any index on a table that exists", []string{"instruction!: CONCURRENTLY, and not only here but for any index on a table that exists"}},
		{"One thing to remember for the future, the older screens are not the model to follow. Looks great otherwise!", []string{"instruction!: the older screens are not the model to follow"}},
		{"Bitte keine festen Texte in Komponenten, das gilt fürs ganze Frontend", []string{"instruction!: keine festen Texte in Komponenten"}},
		{"the tests in this package are failing again", nil},
		{"Bitte Bezeichner und Kommentare grundsätzlich auf Englisch", []string{"instruction!: Bezeichner und Kommentare grundsätzlich auf Englisch"}},
		{"显示没问题，不过以后组件里不要直接调 axios", []string{"instruction!: 不过以后组件里不要直接调 axios"}},
	})
}
