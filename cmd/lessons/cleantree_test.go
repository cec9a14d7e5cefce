package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// learnt are things of which sessions tell: the call that fails, what is wrong with it,
// what works, a decision and its reason.
var learnt = [][5]string{
	{"go test -timeout=30", "a bare number is no duration", "go test -timeout=30s", "amounts are integers of cents", "floats lost a cent in invoices"},
	{"kubectl logs web", "the pod has two containers", "kubectl logs web -c app", "retries belong to the queue", "clients multiplied them in May"},
	{"terraform apply plan.old", "a saved plan gets stale", "terraform plan -out plan.new", "dates are stored as UTC", "summer time moved a payment"},
	{"npm install --global yarn", "the image is read-only", "corepack enable", "feature flags live in one table", "three services disagreed about them"},
	{"docker push shop", "the registry wants its name in the tag", "docker push reg.example.org/shop", "logs are JSON lines", "grep missed half of a stack trace"},
	{"psql -f dump.sql", "errors do not end the import", "psql -v ON_ERROR_STOP=1 -f dump.sql", "emails leave through the outbox", "a crash sent them twice"},
}

// tell plays a session with its hooks: its start, and its end with the work that it
// starts beside itself.
func (p *player) tell(n int) (told string) {
	p.now = p.now.AddDate(0, 0, 1)
	s := p.begin(true)
	about := learnt[n-1]
	s.line(&caseLine{text: "user: Go on."})
	s.line(&caseLine{text: fmt.Sprintf("agent: Done.\n\n#lesson\ntool: Bash\ntrigger: %s\nmistake: %s\nfix: %s\n#/lesson\n\n#decision\ndecision: %s\nbecause: %s\n#/decision\n",
		about[0], about[1], about[2], about[3], about[4])})
	s.end()
	return s.told
}

// TestHooksLeaveTrackedFilesAlone: after sessions that learn something old and something
// new, a pull, a rebase, a checkout and a stash work, whatever upstream did to the same
// files.
func TestHooksLeaveTrackedFilesAlone(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, layout := range []string{"files", "book"} {
		for name, update := range map[string][][]string{
			"pull":          {{"pull", "-q", "--no-rebase", "origin", "main"}},
			"pull --rebase": {{"pull", "-q", "--rebase", "origin", "main"}},
			"checkout":      {{"fetch", "-q"}, {"checkout", "-q", "origin/main"}},
			"stash pop":     {{"stash", "push", "-q", "-u"}, {"pull", "-q", "--rebase", "origin", "main"}, {"stash", "pop", "-q"}},
		} {
			t.Run(layout+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := twoClones(t, layout)
				p.at = p.clones["bob"]
				p.tell(1) // for the second time: what is tracked holds now
				p.tell(2)
				p.tell(3)
				if changed := p.output("status", "--porcelain", "-uno"); changed != "" {
					t.Errorf("hooks changed what git tracks:\n%s", changed)
				}
				p.at = p.clones["shop"]
				p.change()
				p.at = p.clones["bob"]
				before := p.untracked()
				for _, args := range update {
					if err := p.tryGit(args...); err != nil {
						t.Fatal(err)
					}
				}
				if after := p.untracked(); after != before {
					t.Errorf("untracked before:\n%s\nand after:\n%s", before, after)
				}
				p.tell(4)
				p.listsOnce(4)
				p.mustRun("render")
				p.listsOnce(4)
				for _, pattern := range []string{".lessons/the-pod*", ".memory/knowledge/decisions/*retries*"} {
					if twins, _ := filepath.Glob(filepath.Join(p.at.dir, pattern)); len(twins) > 1 {
						t.Errorf("after a render several files tell of one thing: %q", twins)
					}
				}
				if out, status := p.run("", "check"); status != 0 {
					t.Error(out)
				}
				for _, wrong := range p.wrong {
					t.Error(wrong)
				}
			})
		}
	}
}

// listsOnce holds that of the first n things each is listed once.
func (p *player) listsOnce(n int) {
	p.t.Helper()
	out, _ := p.run("", "list")
	for _, about := range learnt[:n] {
		for _, title := range []string{about[1], about[3]} {
			if times := strings.Count(strings.ToLower(out), strings.ToLower(title)); times != 1 {
				p.t.Errorf("%q is listed %d times:\n%s", title, times, out)
			}
		}
	}
}

// twoClones are two people's clones of one repository, which knows one lesson and one
// decision of one session.
func twoClones(t *testing.T, layout string) *player {
	p := prepare(t, false)
	p.setUp = true
	p.mustRun("init", "--yes", "--layout", layout)
	p.tell(1)
	p.mustRun("render")
	p.git("add", "-A")
	p.git("commit", "-qm", "Learn")
	p.git("clone", "-q", "--bare", ".", filepath.Join(p.root, "origin.git"))
	p.git("remote", "add", "origin", filepath.Join(p.root, "origin.git"))
	p.at = p.place("bob", "Bob")
	p.git("clone", "-q", filepath.Join(p.root, "origin.git"), ".")
	p.configure("Bob")
	p.mustRun("init", "--yes")
	p.mustRun("trust", "--yes")
	return p
}

// change is what a colleague does upstream to the same files: the same is learned, the
// lesson is reworded, everything is rendered.
func (p *player) change() {
	p.tell(1)
	p.tell(2)
	p.mustRun("render")
	lessons, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons", "*duration*.md"))
	for _, name := range lessons {
		text, err := os.ReadFile(name)
		if err != nil {
			p.t.Fatal(err)
		}
		p.write(filepath.Join(".lessons", filepath.Base(name)), string(text)+"\nAsk Ada.\n")
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "Learn upstream")
	p.git("push", "-q", "origin", "main")
}

// output is what git prints.
func (p *player) output(args ...string) string {
	p.t.Helper()
	out, err := p.gitCommand(args...).Output()
	if err != nil {
		p.t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// untracked are the files of lessons that git does not know, and what they say.
func (p *player) untracked() string {
	var all strings.Builder
	for name := range strings.Lines(p.output("ls-files", "-o", "--exclude-standard")) {
		text, err := os.ReadFile(filepath.Join(p.at.dir, strings.TrimSpace(name)))
		if err != nil {
			p.t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s%s\n", name, text)
	}
	return all.String()
}
