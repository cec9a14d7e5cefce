package statement

import "testing"

// Trouble next to what is done is the reason for it, with no word between them.
func TestTroubleIsAReason(t *testing.T) {
	testExamples(t, []example{
		{"we're on yarn here. npm hoisted packages that nobody had declared", []string{"decision: we're on yarn here <- npm hoisted packages that nobody had declared"}},
		{"Build artefacts move out of git into Artifactory. Clones took too long and the pack got corrupted twice.", []string{"decision: Build artefacts move out of git into Artifactory <- Clones took too long and the pack got corrupted twice"}},
		{"We agreed on Monday that reports are built at night so customers can load them at once", []string{"decision: We agreed on Monday that reports are built at night <- so customers can load them at once"}},

		{"Thumbnails come from the worker, not from the web process. Everything there runs under a 2 second timeout and must answer.", []string{"decision: Thumbnails come from the worker, not from the web process <- Everything there runs under a 2 second timeout and must answer"}},
		{"caching = valkey everywhere, memcached lost keys on every resize", []string{"decision: caching = valkey everywhere <- memcached lost keys on every resize"}},
		{"Keep the routes in one file instead of annotations. I want to be able to grep for a path.", []string{"decision: Keep the routes in one file instead of annotations <- I want to be able to grep for a path"}},
		{"Tokens get signed with ed25519, our auditors reject RSA keys of that size.", []string{"instruction!: Tokens get signed with ed25519 <- our auditors reject RSA keys of that size"}},
		{"remember it's --recursive with two dashes, rsync doesn't know -recursive", []string{"instruction!: it's --recursive with two dashes, rsync doesn't know -recursive"}}, // which says what "it" is about
		{"Put the chart on the left, not on the right. The other one looks odd next to it.", []string{"correction: Put the chart on the left, not on the right"}},

		{"Cancelling a trip only sets a flag, we never delete the row. People ask for their history.", []string{"decision: Cancelling a trip only sets a flag, we never delete the row <- People ask for their history"}},
		{"The layout is fine now, never put tables into tables.", []string{"instruction!: never put tables into tables"}},

		{"every request logs an error and the queue is stuck. The worker crashes too", nil},
		{"we currently build twice. It's too slow", nil},
		{"The cursor moves out of the window. The input is lost", nil},
		{"we're not going to switch, I'm just curious", nil},
	})
}

func TestWhatHoldsWithoutAnEnd(t *testing.T) {
	testExamples(t, []example{
		{"Branches that are released don't get rebased.", []string{"instruction!: Branches that are released don't get rebased"}},
		{"you don't delete anything in staging without asking me first, ok?", []string{"instruction!: you don't delete anything in staging without asking me first"}},
		{"new migrations need a second pair of eyes. every one of them.", []string{"instruction!: new migrations need a second pair of eyes"}},
		{"one request for all scripts: flush the output before you exit", []string{"instruction!: one request for all scripts: flush the output before you exit"}},
		{"If a job is slow you tell me, but you leave it running, this time and every other time.", []string{"instruction!: If a job is slow you tell me, but you leave it running, this time and every other time"}},
		{"The sprite sheet must keep its name. Remember that when you rebuild it.", []string{"instruction!: The sprite sheet must keep its name"}},
		{"From this point on only format what you changed.", []string{"instruction!: only format what you changed"}},
		{"kubectl is for reading. everything that changes the cluster has to go through the deploy repo", []string{"instruction!: everything that changes the cluster has to go through the deploy repo"}},
		{"One dependency per PR!", []string{"instruction!: One dependency per PR"}},

		{"Run the suite with `tox -p`, not `pytest`; some fixtures are made by tox alone.", []string{"instruction!: Run the suite with `tox -p`, not `pytest` <- some fixtures are made by tox alone"}},
		{"Only run seeds with --dry-run on the shared database.", []string{"instruction!: Only run seeds with --dry-run on the shared database"}},
		{"please write always a short summary first", []string{"instruction!: write always a short summary first"}},
		{"Before you write the importer: dates get parsed as ISO 8601, never as US dates.", []string{"instruction!: dates get parsed as ISO 8601, never as US dates"}},

		{"we only write the file if something changed, right?", nil},
		{"Our architect thinks queues are always a mistake because nobody watches them", nil},
	})
}

func TestPracticeInGermanAndSpanish(t *testing.T) {
	testExamples(t, []example{
		{"Wir stellen die Suche auf Postgres um, weil keiner den zweiten Dienst betreuen will.", []string{"decision: Wir stellen die Suche auf Postgres um <- keiner den zweiten Dienst betreuen will"}},
		{"Preise führen wir in ganzen Cent, weil uns mit double Beträge gefehlt haben.", []string{"decision: Preise führen wir in ganzen Cent <- uns mit double Beträge gefehlt haben"}},
		{"Bilder liegen im Objektspeicher, keine Dateien mehr auf der Platte, das hat uns das Volume gefüllt.", []string{"decision: Bilder liegen im Objektspeicher, keine Dateien mehr auf der Platte <- das hat uns das Volume gefüllt"}},
		{"Wir sehen den Fehler nur in der CI, weil dort mehr Kerne laufen.", nil},
	})
}

func TestMoreOfWhatHolds(t *testing.T) {
	testExamples(t, []example{
		{"Looks good, but going forward keep the log lines short", []string{"instruction!: keep the log lines short"}},
		{"new screens always as .kt files", []string{"instruction!: new screens always as .kt files"}},
		{"before writing any parser check lib/ first", []string{"instruction!: before writing any parser check lib/ first"}},
		{"Could you use the tokens from theme.ts instead of pixels? That goes for all components.", []string{"instruction!: use the tokens from theme.ts instead of pixels"}},
		{"Could you add to AGENTS.md that requests go through src/api?", []string{"instruction!: requests go through src/api"}},
		{"Don't start the emulator yourself, mine is running", []string{"instruction!: Don't start the emulator yourself, mine is running"}},
		{"you're not to touch anything but staging", []string{"instruction!: you're not to touch anything but staging"}},
		{"keys never show up in the output, not even while debugging", []string{"instruction!: keys never show up in the output, not even while debugging"}},
		{"money as integer cents everywhere", []string{"instruction!: money as integer cents everywhere"}},
		{"when you're not sure about the cause, ask before you rewrite things", []string{"instruction!: when you're not sure about the cause, ask before you rewrite things"}},

		{"A competitor counted our orders before. Public ids are going to be ULIDs, the ints stay inside.", []string{"decision: Public ids are going to be ULIDs, the ints stay inside <- A competitor counted our orders before"}},
		{"let's give each flag an expiry date, otherwise they pile up", []string{"decision: give each flag an expiry date <- otherwise they pile up"}},
		{"For each fix I also want a regression test that fails without the fix", []string{"instruction!: For each fix I also want a regression test that fails without the fix"}},
		{"If one fails tell me and stop, that applies for every test in here", []string{"instruction!: If one fails tell me and stop"}},

		{`from their docs: "Clients must always send the header. Never reuse a key, it is dropped." does ours do that?`, nil},
		{"we should never have shared that bucket", nil},
		{"Tokens end up in the logs, we had that twice", nil},
	})
}
