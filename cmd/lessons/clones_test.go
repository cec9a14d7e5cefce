package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// TestClonesAgree lets four people learn, edit, delete, promote and pull in random
// order. Each then merges the other three in an order of their own: after resolve all have
// the same bytes, check is clean, and after at most two rounds no render changes anything.
// LESSONS_TEST_ROUNDS is the number of histories of each kind (default 1).
func TestClonesAgree(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	rounds := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("LESSONS_TEST_ROUNDS"), 10, 32); err == nil {
		rounds = n
	}
	for _, layout := range []string{"files", "book"} {
		for _, driver := range []bool{true, false} {
			for seed := range rounds {
				t.Run(fmt.Sprintf("%s/driver=%v/%d", layout, driver, seed), func(t *testing.T) {
					t.Parallel()
					newTeam(t, layout, driver, seed).play()
				})
			}
		}
	}
}

// team are four clones of one repository, and who may change what: of each thing a
// single person changes the words, so that no conflict is a person's.
type team struct {
	*player
	driver   bool
	r        *rand.Rand
	people   []*clone
	evidence int
	said     map[string]string // by the stem of a lesson's file
	merges   int
	asked    map[string]int // merges that git could not do alone, by what it says of them
	done     []string       // what happened, for who reads a failure
}

func newTeam(t *testing.T, layout string, driver bool, seed uint64) *team {
	p := prepare(t, false)
	m := &team{player: p, driver: driver, asked: map[string]int{}, r: rand.New(rand.NewPCG(seed, 11))}
	p.mustRun("init", "--yes", "--layout", layout)
	m.commit("Set up")
	m.people = append(m.people, p.at)
	for _, name := range []string{"bob", "cy", "dan"} {
		m.people = append(m.people, p.place(name, name))
		p.at = p.clones[name]
		p.git("clone", "-q", m.people[0].dir, ".")
		p.configure(name)
		p.mustRun("init", "--yes")
	}
	for _, c := range m.people {
		p.at = c
		p.write(".git/lessons/clone-key", c.name+"\n")
		for _, what := range []string{"log", "manifest", "book", "lesson"} {
			if !driver {
				p.git("config", "--remove-section", "merge.lessons-"+what)
			}
		}
	}
	return m
}

func (m *team) play() {
	for range 24 {
		m.at = m.people[m.r.IntN(len(m.people))]
		switch op := m.r.IntN(10); {
		case op < 5:
			m.learn(m.r.IntN(len(learnt)))
		case op < 6:
			m.edit()
		case op < 7:
			m.remove()
		case op < 8:
			m.promote()
		default:
			m.merge(m.people[m.r.IntN(len(m.people))])
		}
	}
	m.rendered()
	// What one clone alone knows of a thing whose file somebody removed counts where another
	// clone's file of it stands: that clone's render says so, and is merged once more.
	for round := 1; ; round++ {
		m.agree()
		if !m.rendered() {
			m.t.Logf("renders settled after %d rounds; of %d merges git asked about %v", round, m.merges, m.asked)
			return
		}
		if round == 2 {
			m.fatal("a third render still changes something")
		}
	}
}

// rendered has everybody render and commit, and says whether anything changed.
func (m *team) rendered() bool {
	any := false
	for _, c := range m.people {
		m.at = c
		m.lessons("render")
		if changed := m.output("status", "--porcelain"); changed != "" {
			m.did("%s renders:\n%s", c.name, changed)
			any = true
		}
		m.commit("Render")
	}
	return any
}

// agree has everybody merge the others in an order of their own: after resolve all have
// the same bytes, and check is clean.
func (m *team) agree() {
	heads := map[*clone]string{}
	for _, c := range m.people {
		m.at = c
		heads[c] = strings.TrimSpace(m.output("rev-parse", "HEAD"))
	}
	var first string
	for i, c := range m.people {
		m.at = c
		for _, other := range m.r.Perm(len(m.people)) {
			m.mergeCommit(m.people[other].dir, heads[m.people[other]])
		}
		m.lessons("resolve")
		m.commit("Resolve")
		tree := strings.TrimSpace(m.output("rev-parse", "HEAD^{tree}"))
		if i == 0 {
			first = tree
		} else if tree != first {
			m.git("fetch", "-q", m.people[0].dir, "HEAD")
			m.fatal("%s has other bytes than %s:\n%s", c.name, m.people[0].name, m.output("diff", first, tree))
		}
		m.lessons("check")
		m.keepsWords()
	}
}

// fatal ends the test with what happened.
func (m *team) fatal(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("%s\n%s\n\n%s", m.t.Name(), strings.Join(m.done, "\n"), fmt.Sprintf(format, args...))
}

func (m *team) did(format string, args ...any) {
	m.done = append(m.done, m.at.name+": "+fmt.Sprintf(format, args...))
}

// lessons runs a command that must find nothing wrong.
func (m *team) lessons(args ...string) {
	m.t.Helper()
	if out, status := m.run("", args...); status != 0 {
		m.fatal("lessons %v: exit status %d\n%s\n%s", args, status, out, m.output("status", "--porcelain"))
	}
}

func (m *team) commit(message string) {
	m.now = m.now.AddDate(0, 0, 1)
	m.git("add", "-A")
	m.git("commit", "-q", "--allow-empty", "-m", message)
}

// learn gives the clone one more session that tells of a thing, and renders: at the end
// of a session, or a person does.
func (m *team) learn(n int) {
	m.evidence++
	m.now = m.now.AddDate(0, 0, 1)
	session := fmt.Sprintf("session%05d", m.evidence)
	log := filepath.Join(m.at.dir, ".git", "lessons", "learning-log.jsonl")
	var lines []byte
	if old, err := os.ReadFile(log); err == nil {
		lines = old
	}
	about := learnt[n]
	for _, o := range []*observe.Observation{
		{
			ID: fmt.Sprintf("obs_lesson%d", n), Type: knowledge.Pitfall, Pattern: about[1], Mistake: about[1], Fix: "Use `" + about[2] + "`",
			Origin: observe.OriginErrorFix, Marks: []observe.Mark{observe.MarkErrorFix}, Trigger: &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{about[0]}},
		},
		{ID: fmt.Sprintf("obs_decision%d", n), Type: knowledge.Decision, Pattern: about[3], Details: "decision: " + about[3] + "; rationale: because " + about[4]},
	} {
		o.Evidence, o.Observations, o.Sessions = []string{"heard in " + session}, 1, []string{session}
		o.FirstSeen, o.LastSeen, o.Status, o.QualityOK = m.now, m.now, observe.Observing, true
		var one observe.Log
		one.Put(o)
		lines = append(lines, one.Bytes()...)
	}
	if err := os.MkdirAll(filepath.Dir(log), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(log, lines, 0o644); err != nil {
		m.t.Fatal(err)
	}
	how := []string{"scan", "--quiet", "--render"}
	if m.r.IntN(2) == 0 {
		how = []string{"render"}
	}
	m.did("hears of %d in %s: %v", n, session, how)
	m.lessons(how...)
	m.commit("Learn " + strconv.Itoa(n))
}

// stemOf is the name of a lesson's file without its clone's characters.
func stemOf(name string) string { return name[:strings.LastIndex(name, "-")] }

// keepsWords holds that what people said is in the files.
func (m *team) keepsWords() {
	m.t.Helper()
	for stem, said := range m.said {
		files, _ := filepath.Glob(filepath.Join(m.at.dir, stem+"-*.md"))
		if len(files) != 1 {
			m.fatal("%s: %q", stem, files)
		}
		if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), said) {
			m.fatal("%q is lost in %s (%v):\n%s", said, files[0], err, text)
		}
	}
}

// mine is a random lesson file whose words this person may change.
func (m *team) mine() string {
	files, _ := filepath.Glob(filepath.Join(m.at.dir, ".lessons", "*-*.md"))
	who := slices.Index(m.people, m.at)
	files = slices.DeleteFunc(files, func(name string) bool {
		n := slices.IndexFunc(learnt, func(about [5]string) bool {
			return strings.HasPrefix(filepath.Base(name), strings.ReplaceAll(about[1], " ", "-")[:10])
		})
		return n < 0 || n%len(m.people) != who
	})
	if len(files) == 0 {
		return ""
	}
	return ".lessons/" + filepath.Base(files[m.r.IntN(len(files))])
}

func (m *team) edit() {
	name := m.mine()
	if name == "" {
		return
	}
	text, err := os.ReadFile(filepath.Join(m.at.dir, name))
	if err != nil {
		m.t.Fatal(err)
	}
	m.did("edits %s", name)
	said := fmt.Sprintf("A word of %s on %s.", m.at.name, m.now.Format("2006-01-02"))
	if m.said == nil {
		m.said = map[string]string{}
	}
	m.said[stemOf(name)] = said
	m.write(name, strings.Replace(string(text), "\n# ", "\n# "+said+" ", 1)) // less than what was rendered
	m.commit("Edit")
}

func (m *team) remove() {
	name := m.mine()
	if name == "" {
		return
	}
	m.did("removes %s", name)
	delete(m.said, stemOf(name))
	m.git("rm", "-q", name)
	m.git("commit", "-q", "-m", "Remove")
}

func (m *team) promote() {
	name := m.mine()
	if name == "" {
		return
	}
	verb := []string{"promote", "archive"}[m.r.IntN(2)]
	m.did("%ss %s", verb, name)
	m.run("", verb, strings.TrimSuffix(filepath.Base(name), ".md"))
	m.commit("Say " + verb)
}

// conflictKind is what git says of a conflict. Where one side removed or moved a file, it
// asks no driver.
var conflictKind = regexp.MustCompile(`CONFLICT \((content|add/add|modify/delete|rename/\w+)\)`)

// merge pulls what a colleague has.
func (m *team) merge(other *clone) {
	if other == m.at {
		return
	}
	m.did("pulls from %s", other.name)
	m.mergeCommit(other.dir, "HEAD")
}

func (m *team) mergeCommit(dir, commit string) {
	m.git("fetch", "-q", dir, commit)
	err := m.tryGit("merge", "-q", "--no-ff", "-m", "Merge", "FETCH_HEAD")
	m.merges++
	if err == nil {
		return
	}
	for _, conflict := range conflictKind.FindAllStringSubmatch(err.Error(), -1) {
		m.asked[conflict[1]]++
		if m.driver && (conflict[1] == "content" || conflict[1] == "add/add") {
			m.fatal("a conflict in spite of the driver: %v", err)
		}
	}
	m.lessons("resolve", "--keep-numbers")
	m.commit("Merge and resolve")
}
