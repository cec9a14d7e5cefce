package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

func describeWords(f finding) string {
	q := "weak"
	if f.unfit == "" {
		q = "good"
	}
	return fmt.Sprintf("%d %s %s", f.line, q, f.fix)
}

func rejected(command, words string) func(*teller) {
	return call("Bash", map[string]any{"command": command}, transcript.Rejected, words)
}

func TestRejections(t *testing.T) {
	testDetector(t, rejections{}, describeWords, []detectorCase{
		{"with a preference", story{rejected("npm install", "use pnpm here, not npm")}, []string{"2 good Use pnpm here, not npm"}},
		{"with a question", story{rejected("rm -r build", "do we really need that?")}, []string{"2 weak Do we really need that?"}},
		{"without words", story{rejected("npm install", "")}, nil},
		{"by accident", story{rejected("npm install", "sorry, continue")}, nil},
		{"an ordinary result", story{bash("npm install", ok, "use pnpm")}, nil},
	})
}

func TestInterrupts(t *testing.T) {
	testDetector(t, interrupts{}, describeWords, []detectorCase{
		{"an instruction", story{user("fix it"), bash("rm -rf x", ok, ""), interrupt(), user("never delete that folder")}, []string{"5 good Never delete that folder"}},
		{"go on", story{user("fix it"), interrupt(), user("continue")}, nil},
		{"the same again", story{user("fix the login page please"), interrupt(), user("fix the login page please")}, nil},
		{"a plan that was accepted", story{user("plan"), interrupt(), user("Implement the following plan:\n\n# Plan")}, nil},
		{"no interruption", story{user("fix it"), says("Done."), user("never delete that folder")}, nil},
		{"a bare refusal, then words", story{user("fix it"), rejected("rm -rf x", ""), user("don't delete that folder")}, []string{"4 good Don't delete that folder"}},
	})
}

func TestCorrections(t *testing.T) {
	wrote := edit("/home/dev/app/a.go", "", "func a() {\n\treturn errors.New(\"x\")\n}\n")
	tookBack := edit("/home/dev/app/a.go", "func a() {\n\treturn errors.New(\"x\")\n}\n", "func a() {\n\treturn ErrX\n}\n")
	testDetector(t, corrections{}, describeWords, []detectorCase{
		{"words and the lines go", story{user("write a"), wrote, user("no, use the sentinel error instead"), tookBack}, []string{"4 good Use the sentinel error instead"}},
		{"words and an admission", story{user("write a"), wrote, user("but does that handle the local file?"), says("You're right, it does not.")}, []string{"4 weak Does that handle the local file?"}},
		{"it is still broken and the same file is worked on", story{user("write a"), wrote, user("TestA is failing"), edit("/home/dev/app/a.go", "zzz", "yyy")}, []string{"4 weak TestA is failing"}},
		{"the same program with other words", story{user("run it"), bash("go test ./a", ok, "ok"), user("no, run all of them"), bash("go test ./...", ok, "ok")}, []string{"4 weak Run all of them"}},
		{"told once", story{user("write a"), wrote, user("no, use the sentinel error instead"), says("You're right."), tookBack}, []string{"4 good Use the sentinel error instead"}},

		{"words without proof", story{user("write a"), wrote, user("no, use the sentinel error instead"), says("Why?")}, nil},
		{"proof without words", story{user("write a"), wrote, user("now polish it"), tookBack}, nil},
		{"no in another sense", story{user("write a"), wrote, user("no problem, thanks"), says("Good."), edit("/home/dev/app/b.go", "p", "q")}, nil},
		{"a new request", story{user("write a"), wrote, user("add a test for it"), edit("/home/dev/app/a_test.go", "", "func TestA() {}\n")}, nil},
		{"a long brief", story{user("write a"), wrote, user("no " + longText(70)), tookBack}, nil},
		{"quoted words are another's", story{user("write a"), wrote, user("> no, use the sentinel error\nsee above"), says("I see it now?"), tookBack}, nil},
		{"the first message of a session", story{user("no, use the sentinel error instead"), says("You're right.")}, nil},
	})
}

func longText(words int) string {
	s := ""
	for range words {
		s += "word "
	}
	return s
}

func TestDecisions(t *testing.T) {
	describe := func(f finding) string {
		q := "weak"
		if f.unfit == "" {
			q = "good"
		}
		return fmt.Sprintf("%d %s %s | %s", f.line, q, f.fix, f.rationale)
	}
	ask := func(answer string) func(*teller) {
		return call("AskUserQuestion", map[string]any{}, ok, `User has answered your questions: "Which database?"="`+answer+`". You can now continue.`)
	}
	testDetector(t, decisions{}, describe, []detectorCase{
		{"an answer to a question", story{ask("PostgreSQL")}, []string{"2 weak PostgreSQL | "}},
		{"an answer that is no decision", story{ask("You decide")}, nil},
		{"an option by its letter", story{says("Two ways:\nA) poll every minute\nB) listen on a socket"), user("B, since polling drains the battery")}, []string{"2 good Listen on a socket | polling drains the battery"}},
		{"an option by its place", story{says("Which way?\n1. poll every minute\n2. listen on a socket"), user("the second one. polling drained the battery on old phones")}, []string{"2 good Listen on a socket | polling drained the battery on old phones"}},
		{"an option by its name", story{says("Should the cache use redis or memcached?"), user("memcached. redis costs us 200 a month")}, []string{"2 good Memcached | redis costs us 200 a month"}},
		{"one of the options in a line", story{says("For the sync I can: (1) poll every minute, (2) listen on a socket. Which one?"), user("the second one. polling drained the battery on old phones")}, []string{"2 good Listen on a socket | polling drained the battery on old phones"}},
		{"no, and why, in one sentence", story{says("iOS 14 lacks that. Keep it?"), user("drop ios 14 support, it is 1% of our users")}, []string{"2 good Drop ios 14 support | it is 1% of our users"}},
		{"no to a proposal", story{says("Want me to set up Kafka?"), user("no kafka. two of us run this and nobody knows it")}, []string{"2 good No kafka | two of us run this and nobody knows it"}},
		{"what is said of an option", story{says("Which way?\n1. poll every minute\n2. listen on a socket"), user("option 1 doesn't work since the host sleeps")}, []string{"2 weak Option 1 doesn't work since the host sleeps | "}},
		{"answers by their numbers", story{says("Some questions:\n1. Which port?\n2. Which host?"), user("1. the build failed twice now, fyi")}, nil},
		{"assent with a remark", story{says("Want me to add the missing tests to the plan?"), user("yes please add the missing tests. maybe they are slow though")}, nil},
	})
	memory := func(add string) func(*teller) { return edit("/home/dev/app/CLAUDE.md", "# Rules\n", "# Rules\n\n"+add) }
	testDetector(t, statements{}, describe, []detectorCase{
		{"with a reason", story{says("Which one?"), user("let's use SQLite because it needs no server")}, []string{"2 good Use SQLite | it needs no server"}},
		{"the reason comes after", story{user("Use slog instead of zap. Otherwise we ship another dependency.")}, []string{"1 good Use slog instead of zap | we ship another dependency"}},
		{"without a reason", story{user("ok, let's go with option two then")}, []string{"1 weak Go with option two | "}},
		{"an instruction", story{user("fix it"), bash("git push", ok, ""), user("thanks. and never push without asking me")}, []string{"4 good Never push without asking me | "}},
		{"what a refusal says for always", story{rejected("git push", "never push without asking me")}, []string{"2 good Never push without asking me | "}},
		{"written down in the agent's words", story{says("The tests need a database."), user("add that to CLAUDE.md"), memory("- Start the database before the tests.\n")}, []string{"3 good Start the database before the tests | "}},
		{"written down in the person's words", story{user("add to CLAUDE.md that the tests need a database"), memory("- Start the database before the tests.\n")}, []string{"1 good The tests need a database | ", "2 good Start the database before the tests | "}},
		{"an edit that nobody asked for", story{user("tidy up"), memory("- Start the database before the tests.\n")}, nil},

		{"a question", story{user("should we use SQLite because it needs no server?")}, nil},
		{"an order", story{user("run the tests and show me the result")}, nil},
		{"the agent's words", story{says("Let's use SQLite because it needs no server.")}, nil},
		{"one of the agent's options, pasted", story{says("1. **Use SQLite** - it needs no server, and the file is easy to copy.\n2. Use Postgres."), user("help me with that one: Use SQLite - it needs no server, and the file is easy to copy")}, nil},
		{"agreement in the agent's words", story{says("Then never push to main?"), user("right, never push to main")}, []string{"2 good Never push to main | "}},
		{"a refusal without a reason", story{rejected("npm install", "use yarn instead of npm")}, nil},
	})
}

func TestWorkflows(t *testing.T) {
	describe := func(f finding) string { return fmt.Sprintf("%d %q", f.line, f.items) }
	testDetector(t, workflows{}, describe, []detectorCase{
		{"a numbered list", story{user("To release:\n1. Bump the version\n2. Run the tests\n3. Push the tag")}, []string{`1 ["Bump the version" "Run the tests" "Push the tag"]`}},
		{"a sentence in order", story{user("First run the linter, then run the tests, and finally push the branch.")}, []string{`1 ["Run the linter" "Run the tests" "Push the branch"]`}},
		{"one request", story{user("run the tests")}, nil},
		{"a list that is no procedure", story{user("I see\n1. a red line\n2. a blue line\n3. nothing else")}, nil},
		{"steps in a quotation", story{user("> First run the linter, then run the tests, and finally push.\nwhat is that?")}, nil},
		{"the agent's steps", story{says("First run the linter, then run the tests, and finally push the branch.")}, nil},
	})
}

func TestWorkflowIsOneHoweverItIsIntroduced(t *testing.T) {
	a := found(workflows{}, story{user("Please do this:\n1. Bump the version\n2. Run the tests\n3. Push the tag")})
	b := found(workflows{}, story{user("As always\n\n1) bump the version.\n2) run the tests\n3) push the tag")})
	if len(a) != 1 || len(b) != 1 || a[0].title != b[0].title {
		t.Errorf("two names for one workflow: %v, %v", a, b)
	}
}

func TestChannelsLeaveOutWhatIsNotThePersons(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"code":         {"use this\n```\nno, stop\n```", "use this"},
		"reminder":     {"hello <system-reminder>never do it</system-reminder>", "hello"},
		"quotation":    {"> wrong\nfine", "fine"},
		"indented log": {"see\n    error: wrong", "see"},
		"nothing left": {"```\nx\n```", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := statement.OwnWords(c.text); got != c.want {
				t.Errorf("own words %q, want %q", got, c.want)
			}
		})
	}
}

func TestSubAgentsPromptsAreNotThePersons(t *testing.T) {
	s := story{func(x *teller) { x.agent = "a1" }, user("First run the linter, then run the tests, and finally push the branch.")}
	if got := found(workflows{}, s); len(got) != 0 {
		t.Error("the prompt of a sub-agent was taken for a person's workflow")
	}
}

func TestRefusedCommandIsATriggerOnlyWhenTheWordsAreAboutIt(t *testing.T) {
	about := found(rejections{}, story{rejected("npm install left-pad", "use pnpm here, not npm")})
	course := found(rejections{}, story{rejected("cat notes.md", "we should use the git cli for this")})
	if len(about) != 1 || about[0].trigger == nil || about[0].trigger.Commands[0] != "npm" {
		t.Errorf("no trigger for what the words name: %+v", about)
	}
	if len(course) != 1 || course[0].trigger != nil {
		t.Errorf("a trigger for a command that the words do not name: %+v", course)
	}
}

// What was wrong and what is so is told in the words of whoever told it.
func TestCorrectionsSayWhatIsSo(t *testing.T) {
	for name, c := range map[string]struct {
		reply, mistake, fix string
	}{
		"the agent tells what is so":       {"You're right. The job reads the queue twice.", "The agent said: Every job reads the queue once", "The job reads the queue twice"},
		"the agent tells what it did":      {"You're right, I only looked at the first job.", "The agent admitted: I only looked at the first job", "Jobs still read the queue twice"},
		"the agent only says what it does": {"Good catch! Let me look at the jobs.", "The agent said: Every job reads the queue once", "Jobs still read the queue twice"},
	} {
		t.Run(name, func(t *testing.T) {
			got := found(corrections{}, story{user("why is it slow"), bash("make trace", ok, ""), says("Every job reads the queue once. Anything else is fine."), user("hmm, jobs still read the queue twice"), says(c.reply)})
			if len(got) != 1 || got[0].mistake != c.mistake || got[0].fix != c.fix {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Nobody objects to a look; a rule that comes behind one says nothing about it.
func TestCorrectionsNameNoLook(t *testing.T) {
	for command, mistake := range map[string]string{
		"git log --oneline": "",
		"git push -f":       "The person objected to `git push -f`",
	} {
		got := found(corrections{}, story{user("have a look"), bash(command, ok, "1a2b3c4 x"), says("It is a small project."), user("no force pushes here, and never push to main"), says("You're right, understood."), bash("git status", ok, "")})
		if len(got) != 1 || got[0].mistake != mistake {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// A quote is what somebody said, and from where it is said in what is long.
func TestQuotesAreWordsOfThePerson(t *testing.T) {
	story := story{
		user("write a"), bash("git commit -am a", ok, ""),
		user("It took me the whole morning to see why the totals of the second page were off by one cent on every invoice of last May. From now on amounts must be integer cents. Thanks!"),
		bash("git log", ok, ""), user("no, use the sentinel error instead of a new error in package store"), edit("/home/dev/app/a.go", "p", "q"), says("You're right."),
	}
	for _, f := range found(statements{}, story) {
		if len(f.quotes) != 1 || !strings.HasPrefix(f.quotes[0], "From now on amounts must be integer cents.") && !strings.HasPrefix(f.quotes[0], "no, use the sentinel") {
			t.Errorf("%s: quotes %q", f.title, f.quotes)
		}
	}
	for _, f := range found(corrections{}, story) {
		if len(f.quotes) != 1 || !strings.HasPrefix(f.quotes[0], "no, use the sentinel") {
			t.Errorf("%s: quotes %q", f.title, f.quotes)
		}
	}
}
